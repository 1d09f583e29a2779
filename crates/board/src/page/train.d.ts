// The requests of training, `crates/board/src/train/requests.rs`, sent as `{"type":"train","do":NAME,...}`. `offset` is the
// person's time zone: minutes east of UTC, `-new Date().getTimezoneOffset()`. Days are `2026-11-26`, in that zone.

type CardKind = "mistake" | "ending" | "ruling";
type EndingSide = "attack" | "defend";

/** The requests of training: their fields, and their reply. */
interface TrainRequests {
  "today": [{ offset: number }, TrainToday];
  /** The names that recur in the list of games, the most frequent first. */
  "players": [{}, Players];
  /** Without `deck` all decks, without `kind` all kinds; `after` is a card that is not wanted again now, if there is another.
   * With `ids` the first of these cards that is there, due or not: the page takes out those that are done. */
  "question": [{ offset: number; deck?: string; kind?: CardKind; after?: string; ids?: string[] }, Asked];
  /** Judges a move; the answer is the event `trial`. */
  "try": [{ id: string; move: string; number: number }, {}];
  /** The square of the piece, or with step 2 the one it goes to as well. */
  "hint": [{ id: string; step: 1 | 2 }, TrainHint];
  "show": [{ id: string }, ShownSolution];
  /** 1 wrong, 2 hard, 3 right, 4 easy. */
  "answer": [{ id: string; rating: 1 | 2 | 3 | 4; offset: number }, Answered];
  "edit": [{ id: string; flagged?: boolean; note?: string; deck?: string }, {}];
  /** Takes cards out of the deck; a review does not bring them back, `undrop` does, the last ones. */
  "drop": [{ ids: string[] }, Count];
  "undrop": [{}, Count];
  "cards": [{ offset: number; deck?: string; text?: string; kind?: CardKind; flagged?: boolean; from: number; count: number }, Cards];
  /** Reviews games of the list. Without `me` the names that were told last; with [] both sides are the person's. */
  "add": [{ games: string[]; me?: string[]; nodes?: number }, Queued];
  "me": [{ names: string[] }, {}];
  "pause": [{}, {}];
  "resume": [{}, {}];
  /** Forgets the games that wait. */
  "cancel": [{}, {}];
  /** Makes cards of all moves of a side that the review of this page calls dubious, a mistake or a blunder; `known` of them
   * were there already. */
  "learn": [{ side: Side }, Learnt];
  /** Without `deck` the person's own cards and answers; with one its cards, and the answers of who has sent it. */
  "pattern": [{ deck?: string }, TrainPattern];
  "export": [{ deck?: string; answers: boolean }, FileDownload];
  /** Without `deck` it comes from another device of the person. `known` lines were there already, `bad` ones are no good. */
  "import": [{ bytes: string; name: string; deck?: string }, Imported];
  "sheet": [{ ids: string[]; title: string; per_page: 4 | 6; language: string }, FileDownload];
  "endings": [{}, Shelves];
  "ending": [{ id: string; side: EndingSide; level: 1 | 2 | 3 }, EndingView];
  "ending-move": [{ move: string }, EndingView];
  "ending-again": [{}, EndingView];
  "rulings": [{ offset: number; after?: string }, AskedRuling];
  "ruling-answer": [{ id: string; key: string; offset: number }, RulingVerdict];
}
type TrainReply<Do extends TrainDo> = Partial<TrainRequests[Do][1]> & { error?: Bilingual; closed?: boolean };

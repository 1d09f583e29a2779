// What the page and the program send each other for training: the requests of `crates/board/src/train/requests.rs`, sent as
// `{"type":"train","do":NAME,...}`, and the events `train` and `trial`. `offset` is the person's time zone: minutes east of
// UTC, `-new Date().getTimezoneOffset()`. Days are `2026-11-26`, in that zone.

type CardKind = "mistake" | "ending" | "ruling";
type CountByKind = Record<CardKind, number>;
/** A move of a line with its names. */
interface NamedMove { iccs: string; zh: string; en: string }

interface TrainToday {
  /** What is left for today, new cards with it. */
  due: CountByKind;
  /** How many of them were never answered: only some new cards come each day. */
  fresh: number;
  /** All cards. */
  cards: number;
  /** The day when the next card is due, if none is today. */
  next: string | null;
  /** The decks; "" is the person's own, and first. */
  decks: { name: string; cards: number; due: number }[];
  queue: QueueState;
  /** The names of the person. */
  me: string[];
  /** Why nothing is kept. */
  storage_error: Bilingual | null;
}

/** What becomes of the games that are to be reviewed: the event `train`. */
interface QueueState {
  /** The games since the queue was empty last, and how many of them are done; those that failed with them. */
  games: number;
  done: number;
  failed: { title: string; error: Bilingual }[];
  /** Of those that are done: reviewed before, and not played by the person. */
  known: number;
  others: number;
  /** The mistakes that were found in them, and the new cards. */
  mistakes: number;
  kept: number;
  current: { title: string; done: number; total: number } | null;
  paused: boolean;
  /** It waits until the game against the engine is over, or until the page asks for training. */
  waits: boolean;
  seconds_left: number | null;
  /** Why the last review could not be kept; it is tried again with the next request. */
  error: Bilingual | null;
}

interface TrainQuestion {
  id: string;
  kind: CardKind;
  deck: string;
  /** The start of the game, and the moves up to the question. */
  fen: string;
  moves: string[];
  side: Side;
  /** The moves of the game before the question. */
  ply: number;
  /** The number of the move, as people count. */
  move_number: number;
  /** The move that was a mistake, and what it has lost (0..1). */
  played: NamedMove | null;
  lost: number;
  game: CardGame;
  flagged: boolean;
  note: string;
  /** How often it was answered. */
  answers: number;
  /** Its number among today's, and how many these are; among chosen cards, the first of those that are left. */
  number: number;
  count: number;
  /** The legal moves of the position, the square of a king in check, and the moves that lose at once by repetition. */
  legal: string[];
  check: string | null;
  forbidden: string[];
}

/** The game of a card; `id` if it is in the list of games. */
interface CardGame { id: string | null; title: string; date: string }

/** A move was tried: the event `trial`. `number` is that of the request. */
interface TrainTrial {
  id: string;
  number: number;
  right: boolean;
  best: boolean;
  /** What it loses against the best move (0..1). */
  lost: number | null;
  /** What follows a wrong move, from the opponent's reply on. */
  reply: NamedMove[];
  reason: Bilingual | null;
  /** The move with what follows. */
  line: NamedMove[];
  /** It could not be judged. */
  error: Bilingual | null;
}

interface TrainCard {
  id: string;
  kind: CardKind;
  deck: string;
  title: string;
  date: string;
  side: Side;
  played: NamedMove | null;
  lost: number;
  /** The day when it is due; null if it was never answered. */
  due: string | null;
  answers: number;
  flagged: boolean;
  note: string;
  fen: string;
  moves: string[];
}

interface PatternEntry { key: Bilingual; count: number; lost: number }
interface TrainPattern {
  mistakes: number;
  lost: number;
  /** The games that were reviewed. */
  games: number;
  phases: PatternEntry[];
  openings: PatternEntry[];
  pieces: PatternEntry[];
  reasons: PatternEntry[];
  /** The games of these months, the earliest first. */
  months: PatternEntry[];
  /** Right and wrong answers by day, the earliest first. */
  answers: { day: string; right: number; wrong: number }[];
  /** The share of right answers; null without any. */
  right: number | null;
}

/** The requests of training: their fields, and their reply. */
interface TrainRequests {
  "today": [{ offset: number }, TrainToday];
  /** The names that recur in the list of games, the most frequent first. */
  "players": [{}, { players: { name: string; games: number }[] }];
  /** Without `deck` all decks, without `kind` all kinds; `after` is a card that is not wanted again now, if there is another.
   * With `ids` the first of these cards that is there, due or not: the page takes out those that are done. */
  "question": [{ offset: number; deck?: string; kind?: CardKind; after?: string; ids?: string[] }, { question: TrainQuestion | null; left: number }];
  /** Judges a move; the answer is the event `trial`. */
  "try": [{ id: string; move: string; number: number }, {}];
  /** The square of the piece, or with step 2 the one it goes to as well. */
  "hint": [{ id: string; step: 1 | 2 }, { from: string | null; to: string | null }];
  "show": [{ id: string }, { best: string | null; line: NamedMove[]; reply: NamedMove[]; reason: Bilingual | null }];
  /** 1 wrong, 2 hard, 3 right, 4 easy. */
  "answer": [{ id: string; rating: 1 | 2 | 3 | 4; offset: number }, { due: string; left: number }];
  "edit": [{ id: string; flagged?: boolean; note?: string; deck?: string }, {}];
  /** Takes cards out of the deck; a review does not bring them back, `undrop` does, the last ones. */
  "drop": [{ ids: string[] }, { count: number }];
  "undrop": [{}, { count: number }];
  "cards": [{ offset: number; deck?: string; text?: string; kind?: CardKind; flagged?: boolean; from: number; count: number }, { total: number; found: number; cards: TrainCard[] }];
  /** Reviews games of the list. Without `me` the names that were told last; with [] both sides are the person's. */
  "add": [{ games: string[]; me?: string[]; nodes?: number }, { queued: number }];
  "me": [{ names: string[] }, {}];
  "pause": [{}, {}];
  "resume": [{}, {}];
  /** Forgets the games that wait. */
  "cancel": [{}, {}];
  /** Makes cards of all moves of a side that the review of this page calls dubious, a mistake or a blunder; `known` of them
   * were there already. */
  "learn": [{ side: Side }, { ids: string[]; known: number }];
  /** Without `deck` the person's own cards and answers; with one its cards, and the answers of who has sent it. */
  "pattern": [{ deck?: string }, TrainPattern];
  "export": [{ deck?: string; answers: boolean }, FileDownload];
  /** Without `deck` it comes from another device of the person. `known` lines were there already, `bad` ones are no good. */
  "import": [{ bytes: string; name: string; deck?: string }, { cards: number; answers: number; known: number; bad: number }];
  "sheet": [{ ids: string[]; title: string; per_page: 4 | 6; language: string }, FileDownload];
}
type TrainDo = keyof TrainRequests;
type TrainReply<Do extends TrainDo> = Partial<TrainRequests[Do][1]> & { error?: Bilingual; closed?: boolean };

// What the page and the program send each other: the requests of `requests.rs` and the events of `events.rs`.

/** A text in both languages. */
interface Bilingual { zh: string; en: string }
/** A list of texts in both languages. */
interface BilingualList { zh: string[]; en: string[] }

type Side = "red" | "black";
/** Who is the user: a side, or both. */
type Seat = Side | "both";

/** The state of a game (`game_view.rs`). */
interface GameState {
  /** Increases with every change. */
  turn: number;
  start: string;
  moves: string[];
  names: BilingualList;
  /** The legal moves of the user. */
  legal: string[];
  /** The legal moves that lose at once by the repetition rules. */
  forbidden: string[];
  /** The square of the king in check. */
  check: string | null;
  side: Side;
  seat: Seat;
  strength: string;
  strength_name: Bilingual;
  rules: string;
  /** What is left, in milliseconds. */
  clocks: { control: string; red: number; black: number } | null;
  thinking: boolean;
  draw_offered: boolean;
  end: { result: string; reason: Bilingual; text: Bilingual } | null;
  can_undo: boolean;
  /** Whether the program saves the game after every move. */
  saved: boolean;
  message: Bilingual | null;
  /** Set if two people play. */
  two: TwoPlayers | null;
}

/** A game of two people, as a page of one of them sees it. */
interface TwoPlayers {
  /** Both at one board, or the side of the page. */
  role: Side | "both" | "watcher";
  /** The names of the players. */
  red: string;
  black: string;
  /** Whether the board is turned after each move. */
  turns: boolean;
  /** Whether the clock stops while the player to move is away, and whether it stands still now. */
  stops: boolean;
  stands: boolean;
  /** The invited device has not come yet. */
  waiting: boolean;
  /** The sides whose pages are away. */
  away: Side[];
  watchers: number;
  /** What a player has asked for; `asked` if this page may answer. */
  offer: { number: number; kind: "draw" | "take-back"; by: Side; asked: boolean } | null;
}

interface Hint { turn: number; move: string; text: Bilingual }

/** A line of the engine. */
interface AnalysisLine {
  moves: string[];
  names: BilingualList;
  score: string;
  chance: number;
  depth: number;
  /** How the game ends at the end of the line. */
  end: Bilingual | null;
}

interface Analysis {
  /** The number of its request. */
  number: number;
  final: boolean;
  depth: number;
  nodes: number;
  speed: number;
  /** Red's expected score. */
  chance: number | null;
  lines: AnalysisLine[];
}

interface ReviewedMove {
  ply: number;
  side: Side;
  move: string;
  chinese: string;
  wxf: string;
  before: { chance: number | null } | null;
  mark: string | null;
  /** The chance that it has cost its side. */
  loss: number | null;
  /** The line that would have been better. */
  better: string[];
}

/** What was found about a position, as red sees it: hundredths, moves to a mate, the chance, the best line. */
interface ReviewedPosition { score: number | null; mate: number | null; chance: number | null; depth: number; best: string[] }

interface SideSummary { accuracy: number | null; dubious: number; mistakes: number; blunders: number }

/** A review, as `chuhe review --json` writes it. */
interface Review {
  sides: Record<Side, SideSummary>;
  /** The plies of the moves that decided the game. */
  decisive: number[];
  moves: ReviewedMove[];
  positions: (ReviewedPosition | null)[];
}

/** What a search for a proven win has found. */
interface Solution {
  soundness: string;
  settled: boolean;
  finished: boolean;
  sentences: BilingualList;
  moves: string[];
  names: BilingualList;
}

/** What has changed: each part as a whole. */
interface ServerEvents {
  number?: number;
  game?: GameState;
  hint?: Hint;
  analysis?: Analysis;
  review?: { done: number; total: number; review: Review | null };
  solution?: { number: number; ruled_out: number; result: Solution | null };
  train?: QueueState;
  trial?: TrainTrial;
  /** What the other player analyses after a game of two people, and where he is in it. */
  shared?: { tree: SentTree; line: string[] };
  /** The page is unknown to the program, and has to be opened again. */
  closed?: boolean;
}

interface SentNode { parent: number; move: string; name: Bilingual | null; comment: string; marks: number[] }
/** A game with its variations: each node after its parent. */
interface SentTree { start: string; tags: [string, string][]; result: string; nodes: SentNode[] }

/** A position with the moves that led to it. */
interface PositionQuery { start: string; moves: string[]; rules: string; name_last?: number }

/** The facts about a position that need no search. */
interface PositionFacts {
  fen: string;
  check: string | null;
  legal: string[];
  /** The names of the last moves, as many as were asked for. */
  names: Bilingual[];
  /** Why the game is over, if it is, and its result. */
  verdict: Bilingual | null;
  result: string | null;
  forbidden: string[];
  opening: Bilingual | null;
  book: { move: string; name: Bilingual; share: number; opening: Bilingual | null }[];
  table: Bilingual | null;
}

type GameSource = "played" | "opened" | "kept";
/** What the list shows of a game. */
interface GameSummary {
  id: string;
  source: GameSource;
  /** The name that the user has given it. */
  name: string;
  /** The file that it was in. */
  file: string;
  red: string;
  black: string;
  event: string;
  level: string;
  result: string;
  date: string;
  moves: number;
  opening: Bilingual | null;
  /** The last position and the last move. */
  end: string;
  last: string;
}
interface GameFilter { search?: string; result?: string; source?: GameSource }
/** A part of the list of games. */
interface GameList { total: number; found: number; from: number; games: GameSummary[]; can_restore: boolean }
/** A file, its bytes in base64. */
interface FileDownload { name: string; content_type: string; bytes: string }
interface GameOptions { seat: string; strength: string; rules: string; clock: string | null; position: string; two?: TwoOptions }
/** The conditions of a game of two people; `remote` is the side of an invited device. */
interface TwoOptions { red: string; black: string; remote: Side | null; turns: boolean; stops: boolean }
/** What a page may do: on this machine, on a paired device, or on one that was invited to a game. */
type Access = "owner" | "device" | "player" | "watcher";

/** The requests: their fields, and their reply. */
interface Requests {
  "play": [{ move: string }, {}];
  "undo": [{}, {}];
  "hint": [{}, {}];
  "offer-draw": [{}, {}];
  "answer-offer": [{ number: number; accept: boolean }, {}];
  "resign": [{}, {}];
  "present": [{}, {}];
  "share-analysis": [{ tree: SentTree; line: string[] }, {}];
  "move-now": [{}, {}];
  "check-clock": [{}, {}];
  "new-game": [GameOptions, {}];
  "resume-game": [{}, {}];
  "leave": [{}, {}];
  "set-setting": [{ name: string; value: string }, {}];
  "save-analysis": [{ tree: SentTree }, {}];
  "list-games": [GameFilter & { from: number; count: number }, GameList];
  "game-ids": [GameFilter, { ids: string[] }];
  "open-game": [{ id: string }, { tree: SentTree; id: string }];
  "played-game": [{}, { tree: SentTree; id: string | null }];
  "keep-game": [{ tree: SentTree; id: string | null }, { ids: string[] }];
  "rename-game": [{ id: string; name: string }, {}];
  "delete-games": [{ ids: string[] }, { count: number }];
  "restore-games": [{}, { count: number }];
  "export-games": [{ ids: string[]; format: string }, FileDownload];
  "position-facts": [PositionQuery, PositionFacts];
  "analyse": [PositionQuery & { number: number; lines: number; threat: boolean; nodes: number | null }, {}];
  "stop-analysis": [{ number: number }, {}];
  "solve": [PositionQuery & { number: number; seconds: number; nodes: number | null }, {}];
  "stop-solve": [{}, {}];
  "solution-tree": [{ all: boolean; language: string }, { tree: SentTree }];
  "read-file": [{ bytes: string; name: string }, { format: string; tree: SentTree; ids: string[]; errors: Bilingual[] }];
  "write-file": [{ format: string; tree: SentTree }, FileDownload];
  "picture": [PositionQuery & { flipped: boolean; arrows: string[]; format: string; style: Record<string, string> }, FileDownload];
  "review": [{ tree: SentTree; rules: string; time: number }, {}];
  "stop-review": [{}, {}];
  "review-page": [{}, FileDownload];
  /** See `train.d.ts`: the reply depends on `do`. */
  "train": [{ [Do in TrainDo]: { do: Do } & TrainRequests[Do][0] }[TrainDo], object];
}

type RequestName = keyof Requests;
/** A reply: without its fields if there is an `error`, or if the page is unknown to the program (`closed`). */
type Reply<Name extends RequestName> = Partial<Requests[Name][1]> & { error?: Bilingual; closed?: boolean };

/** The reply to the first request of a page (`OpenReply` in `sessions.rs`). */
interface OpenReply {
  /** The program does not know the token of the page, or does not take its code: a text of the page. */
  refused?: string;
  error?: Bilingual;
  page?: string;
  access?: Access;
  /** A game that was left unfinished. */
  unfinished?: { moves: number; seat: string; strength: string } | null;
  /** The game that the program was started with. */
  opened_game?: SentTree | null;
  /** The game that was analysed last. */
  analysed_game?: SentTree | null;
  /** Why games are not saved. */
  storage_error?: Bilingual | null;
}

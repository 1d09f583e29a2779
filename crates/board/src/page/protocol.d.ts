// What the page and the program send each other, beside the types of `generated.d.ts`: what belongs to which request and
// event, and reviews.

type Side = "red" | "black";
/** Who is the user: a side, or both. */
type Seat = Side | "both";
type GameOptions = Omit<Extract<PageRequest, { type: "new-game" }>, "type">;
/** A file, its bytes in base64. */
interface FileDownload { name: string; content_type: string; bytes: string }

interface ReviewedMove {
  ply: number;
  side: Side;
  move: string;
  before: { chance: number | null } | null;
  mark: string | null;
  /** The chance that it has cost its side. */
  loss: number | null;
  /** The line that would have been better. */
  better: string[];
}

/** What was found about a position, as red sees it: hundredths, moves to a mate, the chance, the best line. */
interface ReviewedPosition { score: number | null; mate: number | null; chance: number | null; depth: number; best: string[]; table: string | null }
interface SideSummary { accuracy: number | null; dubious: number; mistakes: number; blunders: number }

/** A review, as `chuhe review --json` writes it, with the game in words and the accuracies by phase; `kept` says how it was
 * made if it was kept. */
interface Review {
  story: string;
  /** The names of the moves. */
  names: string[];
  phases: [string, [number | null, number | null]][];
  kept: ReviewSummary | null;
  sides: Record<Side, SideSummary>;
  /** The plies of the moves that decided the game. */
  decisive: number[];
  moves: ReviewedMove[];
  positions: (ReviewedPosition | null)[];
}

/** A point of a picture that may be something else: letters of FENs, null for an empty point. */
interface PictureDoubt { square: string; read: string | null; other: string | null; chances: [number, number] }
/** What a picture shows, as `chuhe picture --json` writes it. */
interface PictureReading {
  fen: string;
  turned: boolean;
  turned_doubtful: boolean;
  corners: [[number, number], [number, number], [number, number], [number, number]];
  doubts: PictureDoubt[];
  other_board: boolean;
}

/** What has changed: each part as a whole. */
interface ServerEvents {
  number?: number;
  game?: GameState;
  hint?: Hint;
  analysis?: Analysis;
  review?: { done: number; total: number; review: Review | null; message: string | null };
  solution?: SolveProgress;
  train?: QueueState;
  trial?: TrainTrial;
  /** What the other player analyses after a game of two people, and where he is in it. */
  shared?: SharedAnalysis;
  /** What this page may not ask for any more. */
  denied?: Refusal[];
  /** The page is unknown to the program, and has to be opened again. */
  closed?: boolean;
}

/** The replies that are not empty. */
interface Replies {
  "list-games": GameList;
  "played-here": PlayedHere;
  "game-ids": { ids: string[] };
  "open-game": SentGame;
  "played-game": SentGame;
  "keep-game": { ids: string[] };
  "replace-game": { ids: string[] };
  "delete-games": { count: number };
  "restore-games": { count: number };
  "folders": FolderReply;
  "export-games": FileDownload;
  "position-facts": PositionFacts;
  "solution-tree": SentGame;
  "read-file": UploadedGames;
  "write-file": FileDownload;
  "picture": FileDownload;
  "read-picture": PictureReading | { proposed: Corners | null };
  "review-page": FileDownload;
  "kept-review": { review: Review | null };
  "review-room": ReviewRoom;
  /** The reply depends on `do`. */
  "train": object;
}
type UngroupedRequest = PageRequest | PictureUploadRequest;
type RequestName = UngroupedRequest["type"] | "folders" | "train";
/** The requests: their fields, and their reply. */
type Requests = {
  [Name in RequestName]: [
    Name extends "train" ? TrainRequest : Name extends "folders" ? FolderRequest : Omit<Extract<UngroupedRequest, { type: Name }>, "type">,
    Name extends keyof Replies ? Replies[Name] : {},
  ]
};
/** A reply: without its fields if there is an `error`, or if the page is unknown to the program (`closed`). */
type Reply<Name extends RequestName> = Partial<Requests[Name][1]> & { error?: string; closed?: boolean; lost?: boolean };

/** The reply to the first request of a page; `refused` if the program does not know its token, or does not take its code: a
 * text of the page. */
type OpenReply = Partial<Opened> & { refused?: string; error?: string };

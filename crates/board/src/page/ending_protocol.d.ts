// What the page and the program send each other for endings and rulings.

type EndingSide = "attack" | "defend";
/** An ending on the shelf; `won` is the share of its quiet positions. */
interface Shelf {
  id: string;
  name: Bilingual;
  grade: "won" | "drawn" | "mixed";
  red: string;
  black: string;
  won: number;
  /** The sides that positions can be found for. */
  offers: Record<EndingSide, boolean>;
  passed: Record<EndingSide, boolean>;
}
/** The ending that is played, with the legal moves if the person is to move. */
interface EndingView {
  id: string;
  level: number;
  start: string;
  moves: string[];
  side: Side;
  goal: "win" | "hold";
  state: "on" | "passed" | "spoiled";
  sentence: Bilingual | null;
  legal: string[];
  check: string | null;
  forbidden: string[];
}
interface RulingQuestion { id: string; fen: string; moves: string[]; text: Bilingual; choices: { key: string; text: Bilingual }[]; left: number }
interface RulingVerdict { right: boolean; answer: string; sentence: Bilingual | null; article: Bilingual | null }

interface TrainRequests {
  "endings": [{}, { shelves: Shelf[] }];
  "ending": [{ id: string; side: EndingSide; level: 1 | 2 | 3 }, EndingView];
  "ending-move": [{ move: string }, EndingView];
  "ending-again": [{}, EndingView];
  "rulings": [{ offset: number; after?: string }, { ruling: RulingQuestion | null }];
  "ruling-answer": [{ id: string; key: string; offset: number }, RulingVerdict];
}

// What is asked of training, `TrainRequest`, and what comes back. Days are `2026-11-26`, in the person's time zone.

type CardKind = "mistake" | "ending" | "ruling" | "tactic" | "opening";
/** A month of the person's games; the causes of mistakes with how many there were. */
interface MonthOfPlay { month: string; games: number; accuracy: number | null; causes: [string, number][] }
type EndingSide = "attack" | "defend";
type TrainDo = TrainRequest["do"];
/** The fields of a request of training. */
type TrainFields<Do extends TrainDo> = Omit<Extract<TrainRequest, { do: Do }>, "do">;

/** The replies that are not empty. */
interface TrainReplies {
  "today": TrainToday;
  "players": { players: Player[] };
  "question": Asked;
  "hint": TrainHint;
  "show": ShownSolution;
  "context": ExerciseContext;
  "answer": Answered;
  "drop": { count: number };
  "undrop": { count: number };
  "cards": Cards;
  "add": { queued: number };
  /** `known` of them were there already. */
  "learn": Learnt;
  "pattern": TrainPattern;
  "export": FileDownload;
  /** `known` lines were there already, `bad` ones are no good. */
  "import": { cards: number; answers: number; known: number; bad: number };
  "sheet": FileDownload;
  "endings": { shelves: Shelf[] };
  "ending": EndingView;
  "ending-move": EndingView;
  "ending-again": EndingView;
  "rulings": { ruling: RulingQuestion | null };
  "ruling-answer": RulingVerdict;
  "tactics": TacticsView;
  "tactic": TacticView;
  "tactic-move": TacticStep;
  "tactic-answer": TacticAnswered;
  "tactic-run": TacticRunView;
  "own-level": OwnLevel;
  "openings": OpeningsView;
  "openings-make": OpeningsAdded;
  "openings-mark": OpeningsAdded;
  "openings-file": OpeningsAdded;
  "openings-export": FileDownload;
  "openings-clear": OpeningsAdded;
  "openings-left": OpeningsLeft;
}
type TrainReply<Do extends TrainDo> =
  Partial<Do extends keyof TrainReplies ? TrainReplies[Do] : {}> & { error?: string; closed?: boolean };

// Types of the page's scripts.

/** The pieces on the board: square to FEN letter. */
type Pieces = Map<string, string>;

type ModeName = "play" | "analyse" | "review" | "setup" | "games" | "train";

/** A mode draws the board itself. */
interface Mode {
  /** Whether the engine analyses in this mode. */
  analyses?: boolean;
  drawBoard(): void;
  renderPanel(): void;
  /** The ply shown, and the last one. */
  ply(): number;
  lastPly(): number;
  goTo(ply: number): void;
  moves(): string[];
  enter?(): void;
  /** Its place in the address, where that is not its name. */
  place?(): string;
  leave?(): void;
}

/** Where a move is expected on the board of the training: after how many moves, and what is done with it. */
interface Expected { legal: string[]; forbidden: string[]; check: string | null }
interface Input extends Expected { ply: number; onMove(move: string): void }
/** What the board of the training shows: `ply` moves of them all; a hint is a piece, and perhaps its square; what moves
 * threaten has an arrow when they are made. */
interface Scene { fen: string; moves: string[]; ply: number; input: Input | null; hint: { from: string; to: string | null } | null; threats: string[][] }
type ScreenName = "today" | "exercise" | "games" | "cards" | "endings" | "ending" | "rulings" | "pattern" | "tactics" | "openings" | "learn";
/** A screen; what is wanted of it may follow its name in the address. */
interface TrainScreen { render(): void; enter?(rest?: string): void; leave?(): void; place?(): string }
/** A line behind the question: the move that was tried, if it is not part of the line, and the moves that are shown. */
interface Line { label: string; before: string[]; moves: NamedMove[] }
/** Which cards are asked. */
interface ExerciseChoice { deck?: string; kind?: CardKind; ids?: string[] }
/** A question, and how far it is: asked, judged, answered wrongly or rightly, or the answer is shown. An answer that is not
 * sent yet is its rating. */
interface Exercise {
  question: TrainQuestion; left: number; phase: "ask" | "judge" | "wrong" | "right" | "shown"; tried: string; number: number; isBest: boolean;
  wasWrong: boolean; hints: number; rating: 0 | 1 | 2 | 3 | 4; said: string | null; reason: string | null; lines: Line[];
}
/** What is solved: the node, and the tree that it is of; then what is known. */
interface Solving { node: number; tree: GameTree; number: number; startedAt: number; seconds: number; ruledOut: number; result: Solution | null }

/** The one state of the page. */
interface PageState {
  mode: ModeName;
  /** The game that is played, once the program has sent it; the ply that is looked at, null = the last one. */
  game: GameState | null;
  viewedPly: number | null;
  hint: Hint | null;
  /** The move that waits to be confirmed, and the one that waits for Chuhe's. */
  proposedMove: string | null;
  premove: string | null;
  /** The analysed game and the node that is shown, with what is known of its position. */
  tree: GameTree;
  /** The tree that the page shows. */
  drawnTree: GameTree | null;
  node: number;
  facts: PositionFacts | null;
  analysis: Analysis | null;
  /** The moves of a line that is looked at without being played. */
  preview: string[] | null;
  engine: { isOn: boolean; showsThreat: boolean; lines: number };
  solving: Solving | null;
  review: Review | null;
  isReviewing: boolean;
  screen: ScreenName;
  /** What is due, once it is known. */
  today: TrainToday | null;
  scene: Scene;
  exercise: Exercise | null;
  ending: EndingView | null;
  ruling: { question: RulingQuestion; key: string; verdict: RulingVerdict | null } | null;
}

/** What can be disabled. */
type Control = HTMLButtonElement | HTMLInputElement | HTMLSelectElement;
/** The conditions of a game of two people, and the side of the device that is invited. */
interface TwoConditions { two: TwoOptions; remote: Side | null }

/** What one part of the page does for another. */
interface Actions {
  // play
  newGame(): void;
  ownStrength(): Promise<string | null>;
  keepGame(): void;
  openLessons(): void;
  beginGame(options: Partial<GameOptions> & { seat: string; position: string; remote?: Side | null }): Promise<string | null>;
  takePlayedGame(): void;
  otherGameOpened(): void;
  setPremove(move: string | null): void;
  // two_players
  renderTwo(game: GameState): void;
  twoTexts(game: GameState, two: TwoPlayers): string[];
  twoOptions(values: FormData): TwoConditions;
  twoAgain(two: TwoPlayers, isSwapped: boolean): TwoConditions;
  // analyse
  goToNode(id: number): Promise<void>;
  playLine(moves: string[]): Promise<void>;
  positionQuery(moves?: string[]): PositionQuery;
  startAnalysis(): void;
  stopAnalysis(): void;
  bindSteps(list: HTMLElement): void;
  drawAnalysis(): void;
  followLink(): Promise<boolean>;
  openPicture(file: Blob): Promise<void>;
  // review
  drawRefutation(): string;
  lookForReview(): Promise<void>;
  reviewGame(): Promise<void>;
  renderTags(): void;
  // games
  openGame(sent: SentTree): void;
  openText(text: string): Promise<boolean>;
  openListedGame(id: string): Promise<boolean>;
  keepInList(sent: SentTree, id?: string): Promise<string>;
  // train
  startExercise(which?: ExerciseChoice): void;
  ask<Do extends TrainDo>(what: Do, fields: TrainFields<Do>): Promise<TrainReply<Do>>;
  readToday(): Promise<void>;
  addFiles(files: File[]): Promise<void>;
  droppedFiles(dropped: DataTransfer): Promise<File[]>;
  addWaiting(): Promise<void>;
  // the game that is analysed
  sentTree(): SentTree;
  treeChanged(): void;
  // modes
  enterMode(name: ModeName): void;
}

/** A move of the analysed game; the first node is its start. */
interface TreeNode extends SentNode { children: number[]; depth: number }
interface GameTree { start: string; tags: [string, string][]; result: string; nodes: TreeNode[]; edited: boolean; id: string }

/** What happened with a move, for what is heard of it. */
interface MoveFacts { captured?: boolean; check?: string | null; over?: unknown; name?: string | null; isShown?: boolean }

/** The connection to the program: `transport.js`, or `web/transport.js` on a static host. */
interface Transport {
  /** Opens the page, or opens it again. It is rejected if the program does not answer. */
  open(): Promise<OpenReply>;
  /** Sends a request, once the page is open; without effect before. A page that is leaving gets no reply. */
  send<Name extends RequestName>(name: Name, fields?: Requests[Name][0], isLeaving?: boolean): Promise<Reply<Name>>;
  /** The address of the page for a place in it (see `fragment.js`). */
  address(place: string): string;
  /** The address of a position for others. */
  sharedAddress(linkFields: string): Promise<string>;
  /** To be called when the fragment has changed: whether it leads to another program. */
  tokenChanged(): boolean;
  /** Passes on events until the next call. */
  listen(onEvents: (events: ServerEvents) => void, onLost: () => void): void;
  /** How the next device of the local network is paired, or invited to a game. Only of a shared board, on the machine that shares it. A device
   * that is named is sent away before. */
  invitation(access: Access, dismissed?: string): Promise<Invitation>;
}

/** An address that pairs a device, its QR code as an SVG picture, the paired devices, and the addresses that have to wait
 * because of wrong codes. */
interface Invitation { address: string; qr: string; devices: string[]; slowed: string[] }

/** A point of a picture, in pixels, and the outer points of its board, clockwise from the top left. */
type Corner = [number, number];
type Corners = [Corner, Corner, Corner, Corner];
/** What the user knows of a picture. */
interface PictureOptions { corners?: Corners; turned?: boolean }
type PictureReply = PictureReading | { error?: string; proposed?: Corners | null };

/** What the page remembers: `store.js`, or `web/store.js` on a static host. */
interface Store {
  /** A setting, as it was when the page was loaded or as it was set since. Names and values are words of small letters,
   * digits and dashes. */
  get(name: string): string | undefined;
  /** Remembers a setting for all pages to come. */
  set(name: string, value: string): void;
  /** Saves the analysed game. A page that is leaving waits for nothing. */
  saveAnalysis(tree: SentTree, isLeaving?: boolean): void;
  /** Resolves when all settings so far are remembered. */
  flushed(): Promise<void>;
  /** The address of this page in a language. */
  addressIn(language: string): string;
  /** What this tab of the browser remembers over a reload. */
  tab: { get(name: string): string | null; set(name: string, value: string): void };
}

/** The elements of the page that are more than an `HTMLElement`, by their ids. */
interface ElementsById {
  addAll: HTMLButtonElement;
  addDefence: HTMLButtonElement;
  begin: HTMLFormElement;
  beginning: HTMLDialogElement;
  cardDeck: HTMLSelectElement;
  cardDialog: HTMLDialogElement;
  cardFile: HTMLInputElement;
  cardKind: HTMLSelectElement;
  cardSearch: HTMLInputElement;
  comment: HTMLTextAreaElement;
  countOfLines: HTMLSelectElement;
  deckOfCard: HTMLInputElement;
  endingLevel: HTMLSelectElement;
  endingSide: HTMLSelectElement;
  fen: HTMLInputElement;
  fenSide: HTMLSelectElement;
  file: HTMLInputElement;
  flagOfCard: HTMLInputElement;
  gameResult: HTMLSelectElement;
  pictureFile: HTMLInputElement;
  shotView: HTMLCanvasElement;
  playedHere: HTMLButtonElement;
  language: HTMLSelectElement;
  playedResult: HTMLSelectElement;
  playedSearch: HTMLInputElement;
  gameSearch: HTMLInputElement;
  mineMore: HTMLButtonElement;
  gameFolder: HTMLSelectElement;
  putInto: HTMLSelectElement;
  renameFolder: HTMLButtonElement;
  removeFolder: HTMLButtonElement;
  gameSort: HTMLSelectElement;
  gameSource: HTMLSelectElement;
  hintExercise: HTMLButtonElement;
  importDeck: HTMLInputElement;
  importDialog: HTMLDialogElement;
  lanCode: HTMLImageElement;
  lanDialog: HTMLDialogElement;
  lawOf: HTMLSelectElement;
  levelRange: HTMLInputElement;
  myName: HTMLInputElement;
  noteOfCard: HTMLTextAreaElement;
  ownLevel: HTMLInputElement;
  patternDeck: HTMLSelectElement;
  perPage: HTMLSelectElement;
  progress: HTMLProgressElement;
  question: HTMLDialogElement;
  queueProgress: HTMLProgressElement;
  redoChange: HTMLButtonElement;
  reviewTime: HTMLSelectElement;
  setupAnalyse: HTMLButtonElement;
  setupPlay: HTMLButtonElement;
  sheetDialog: HTMLDialogElement;
  sheetTitle: HTMLInputElement;
  showExercise: HTMLButtonElement;
  solve: HTMLButtonElement;
  solveProgress: HTMLProgressElement;
  thatIsMe: HTMLButtonElement;
  trainFiles: HTMLInputElement;
  trainFolder: HTMLInputElement;
  typed: HTMLInputElement;
  typing: HTMLFormElement;
  undoChange: HTMLButtonElement;
}
type ElementById<Id extends string> = Id extends keyof ElementsById ? ElementsById[Id] : HTMLElement;

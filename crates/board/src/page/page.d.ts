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

/** A move of the analysed game; the first node is its start. */
interface TreeNode extends SentNode { children: number[]; depth: number }
interface GameTree { start: string; tags: [string, string][]; result: string; nodes: TreeNode[]; edited: boolean; id: string }

/** What happened with a move, for what is heard of it. */
interface MoveFacts { captured?: boolean; check?: string | null; over?: unknown; name?: Bilingual | null }

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
  gameSearch: HTMLInputElement;
  gameSource: HTMLSelectElement;
  hintExercise: HTMLButtonElement;
  importDeck: HTMLInputElement;
  importDialog: HTMLDialogElement;
  lanCode: HTMLImageElement;
  lanDialog: HTMLDialogElement;
  lawOf: HTMLSelectElement;
  levelRange: HTMLInputElement;
  noteOfCard: HTMLTextAreaElement;
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

// What `transport` and `store` are to the other scripts of the page, whichever files define them.

interface Transport {
  /** Whether the page may talk to the program at all. */
  isAllowed(): boolean;
  /** Opens the page, or opens it again: the answer of `/open` (`OpenReply` in `sessions.rs`). It is rejected with a
   * `Refusal` if the program wants nothing of this page, otherwise if it is gone. */
  open(): Promise<any>;
  /** A request of `requests.rs` by its name, once the page is open; without effect before. The answer has `wrong` (a text
   * in both languages) if it failed, and `gone` if the page is unknown and has to be opened again. Of a page that is
   * leaving no answer comes. */
  send(name: string, fields?: object, leaving?: boolean): Promise<any>;
  /** What the fragment of the address says of a position (see `link.js`). */
  place(): string;
  /** The address of the page for a position. */
  address(place: string): string;
  /** To be called when the fragment has changed: whether it leads to another program. */
  moved(): boolean;
  /** Passes on events until the next call: the state of each part (`game`, `hint`, `thoughts`, `review`) that has changed,
   * or `gone`. `lost` says that none come. */
  listen(take: (events: any) => void, lost: () => void): void;
  /** How the next device of the local network is paired: an address, and its QR code as an SVG picture. Only of a shared
   * board, on the machine that shares it. */
  invitation(): Promise<{ address: string; qr: string }>;
}

interface Store {
  /** A setting, as it was when the page was loaded or as it was set since. Names and values are words of small letters,
   * digits and dashes. */
  get(name: string): string | undefined;
  /** Remembers a setting for all pages to come. */
  set(name: string, value: string): void;
  /** Keeps the analysed game. A page that is `leaving` waits for nothing. */
  keep(tree: SentTree, leaving?: boolean): void;
  /** When all that was set so far is remembered. */
  settled(): Promise<void>;
  /** What this tab of the browser remembers over a reload. */
  tab: { get(name: string): string | null; set(name: string, value: string): void };
}

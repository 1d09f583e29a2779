export interface Options {
  /** Where `chuhe.wasm` is, with `tables.bin` beside it, if not beside `chuhe.js`: an address, in Node also a path. */
  wasm?: string | URL;
  /** Where `worker.js` is, if not beside `chuhe.js`. In browsers only. */
  worker?: string | URL;
  /**
   * False: do not wait for messages inside a search (JavaScript Promise Integration), even where the browser can.
   * In browsers only.
   */
  suspending?: boolean;
}

export interface Engine {
  /** Sends a line of UCI or UCCI, or several. */
  postMessage(line: string): void;
  /** Called with each line of the engine. */
  onmessage: ((line: string) => void) | null;
  addMessageListener(listener: (line: string) => void): void;
  removeMessageListener(listener: (line: string) => void): void;
  /** Ends the engine, whatever it does. */
  terminate(): void;
  /** Fulfilled after `quit` or `terminate`, rejected if the engine has failed. */
  readonly closed: Promise<void>;
}

/** Starts an engine of its own; rejected with the reason if there can be none. */
export default function Chuhe(options?: Options): Promise<Engine>;

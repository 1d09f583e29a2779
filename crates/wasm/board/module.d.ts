// What `board-worker.js` uses of `module.js` (`wasm/package/module.js`), which lies beside it on a static host.

/** What the module asks of its host: see `module.js`. */
export interface Host {
  suspending: boolean;
  /** How often it asks for messages while it thinks, in milliseconds. */
  interval: number;
  now(): number;
  /** Bytes if there are messages, none if there are not. */
  read(): Uint8Array | Promise<Uint8Array>;
  wait(milliseconds: number): void;
  write(bytes: Uint8Array): void;
}
export interface Board {
  answer(path: string, body: string): Promise<void>;
  /** Takes the endgame tables. */
  lendTables(bytes: Uint8Array): Promise<void>;
  /** Returns whether any job waits. */
  runJob(): Promise<boolean>;
}
export function canSuspend(): boolean;
export function startBoard(module: WebAssembly.Module, host: Host, files: Record<string, Uint8Array>, words?: Words | null): Promise<Board>;
/** What the engine says in a language. */
export interface Words { language: string; bytes: Uint8Array }

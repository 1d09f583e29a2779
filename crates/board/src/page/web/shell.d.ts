// What `shell.js` is to the page of a static host: it brings the engine, and keeps files in the browser.

declare const webShell: {
  /** Brings the engine and the files that were kept, with what is wrong with storage. It is rejected with an error that
   * has the text `wrong` if the engine cannot run here. */
  start(): Promise<{ module: WebAssembly.Module | ArrayBuffer; files: Record<string, Uint8Array>; trouble?: Both }>;
  /** Keeps files, all of them or none; `null` stands for one that is removed. It is rejected with an error that has the
   * text `wrong` if there is no room. */
  persist(files: Record<string, Uint8Array | null>): Promise<void>;
};

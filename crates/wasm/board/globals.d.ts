// What browsers have that the compiler does not know, and what `engine_request.js` leaves.

interface Window {
  /** The request for the engine, if `engine_request.js` has sent one. */
  chuheEngine?: Promise<Response> | null;
  /** Files that the system has opened with the page; not in every browser. */
  launchQueue?: { setConsumer(consumer: (params: { files: FileSystemFileHandle[] }) => void): void };
}

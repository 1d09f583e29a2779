// Reads the position of a picture, once. The message to it: `{ version, pixels, width, height, corners, turned }`; from it the
// answer of `chuhe picture --json`, or null if the module did not come.

import { lzmaUnpacker } from "./unpack.js";

// Filled in by the packaging.
const SIZE = Number("UNPACKED_SIZE");

/** The functions of the module.
 * @typedef {{memory: WebAssembly.Memory, pixel_buffer(length: number): number, add_corner(x: number, y: number): void,
 *   read(width: number, height: number, turned: number): number, answer(): number}} PictureModule */
/** @typedef {{version: string, pixels: ArrayBuffer, width: number, height: number, corners?: [number, number][],
 *   turned?: boolean}} PictureMessage */

/** @param {PictureMessage} message */
async function read({ version, pixels, width, height, corners = [], turned }) {
  const answer = await fetch(`picture.bin?${version}`);
  if (!answer.ok) return null;
  const packed = new Uint8Array(await answer.arrayBuffer());
  const { instance } = await WebAssembly.instantiate(lzmaUnpacker(packed, SIZE).advance(packed.length).slice());
  const module = /** @type {PictureModule} */ (/** @type {unknown} */ (instance.exports));
  const at = module.pixel_buffer(pixels.byteLength);
  new Uint8Array(module.memory.buffer).set(new Uint8Array(pixels), at);
  for (const [x, y] of corners) module.add_corner(x, y);
  const length = module.read(width, height, turned === undefined ? -1 : Number(turned));
  return JSON.parse(new TextDecoder().decode(new Uint8Array(module.memory.buffer, module.answer(), length)));
}

onmessage = ({ data }) => read(data).then(postMessage, () => postMessage(null));

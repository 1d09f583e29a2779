// Pictures as pixels: the browser decodes them, turned as the camera says, and what is larger than a screen is made smaller.

import { toBase64 } from "../core/save_file.js";

const [LONGEST_SIDE, MOST_PIXELS, MOST_BYTES] = [3000, 6e6, 4e6];

/** The picture on white; null if the browser cannot open it. @param {Blob} file @returns {Promise<HTMLCanvasElement | null>} */
export async function toCanvas(file) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const { width, height } = bitmap;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)),
  });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  Object.assign(context, { fillStyle: "#fff", imageSmoothingQuality: "high" });
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

/** The picture as a file, in base64. @param {HTMLCanvasElement} canvas */
export async function fromCanvas(canvas) {
  /** @param {string} type @returns {Promise<Blob | null>} */
  const written = (type) => new Promise((done) => canvas.toBlob(done, type, 0.92));
  const png = await written("image/png");
  const file = png && png.size <= MOST_BYTES ? png : await written("image/jpeg");
  return toBase64(new Uint8Array(await (file ?? new Blob()).arrayBuffer()));
}

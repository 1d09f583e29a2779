// Has the program read the position of a picture; a page without a server has `web/read_picture.js` instead.

import { fromCanvas } from "./picture_canvas.js";
import { transport } from "../core/transport.js";

/** @param {HTMLCanvasElement} canvas @param {PictureOptions} options @returns {Promise<PictureReply>} */
export async function readPicture(canvas, options) {
  return transport.send("read-picture", { bytes: await fromCanvas(canvas), ...options });
}

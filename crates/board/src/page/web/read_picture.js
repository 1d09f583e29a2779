// Reads the position of a picture in a worker: a module of its own, which is loaded with the first picture.

import { BUILD } from "./download.js";

/** @type {Worker | null} */
let worker = null;

/** @param {HTMLCanvasElement} canvas @param {PictureOptions} options @returns {Promise<PictureReply>} */
export function readPicture(canvas, options) {
  const { width, height } = canvas;
  const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data.buffer;
  // A picture that is being read is of no use once there is another one.
  worker?.terminate();
  const reader = worker = new Worker("picture_worker.js", { type: "module", name: "picture" });
  return new Promise((resolve, reject) => {
    reader.onerror = reject;
    reader.onmessage = ({ data }) => {
      reader.terminate();
      if (data) resolve(data);
      else reject(new Error("the reader of pictures did not come"));
    };
    reader.postMessage({ version: BUILD.version, pixels, width, height, ...options }, pixels ? [pixels] : []);
  });
}

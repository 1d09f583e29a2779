// Files: their bytes, and what the browser saves or copies.

import { showNotice, translation } from "./elements.js";

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}
/** @param {string} base64 */
export const fromBase64 = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** Has the browser save a file. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(content) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Has the browser save what the program has written, if it has, and all of it. @param {Partial<FileDownload & { error: string }>} file */
export function saveDownload({ name, bytes, content_type: type, error }) {
  if (name && bytes && !error) saveFile(name, new Blob([fromBase64(bytes)], { type }));
}

/** @param {string} text */
export async function copyText(text) {
  await navigator.clipboard.writeText(text);
  showNotice(translation("copied"));
}

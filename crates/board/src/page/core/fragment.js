// What stands behind the `#` of the address, which no server sees, in parts between `&`: the key to the program, a place
// of the page such as `analyse` or `games/12`, and the fields of a position. A key has a form: any other word is a place, or
// the nearest one to it.

/** The places, each with what may follow it. */
const PLACE = /^(play|analyse|review|setup|solve|games|train(\/[\w-]+)*|games?\/.+)$/;
/** The token, or a code that is exchanged for one. */
const TOKEN = /^([0-9a-f]{16,}|(once|pair|play|watch)-\w+)$/;

/** Words of old bookmarks and of people, by the places that they mean. @type {Record<string, string>} */
const MEANT = {
  analysis: "analyse", analyze: "analyse", board: "play", home: "play", new: "play", list: "games", position: "setup", puzzles: "train/tactics",
  lessons: "train/learn", learning: "train/learn",
};
const SCREENS = ["today", "cards", "learn", "openings", "tactics", "endings", "rulings", "pattern"];
const NAMES = ["play", "analyse", "review", "setup", "games", "train", ...Object.keys(MEANT), ...SCREENS];

/** The length of what two words begin with alike. @param {string} one @param {string} other */
function sharedStart(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** The place that is nearest to a word, "" if none is near. @param {string} word @returns {string} */
function nearestPlace(word) {
  const path = decodeURIComponent(word).toLowerCase().split("/").filter(Boolean);
  const [first = "", ...rest] = path;
  const found = NAMES.map((name) => ({ name, length: sharedStart(name, first) })).sort((a, b) => b.length - a.length)[0];
  if (found.length < Math.min(3, found.name.length)) return rest.length ? nearestPlace(rest.join("/")) : "";
  if (SCREENS.includes(found.name)) return ["train", found.name, ...rest].join("/");
  return MEANT[found.name] ?? found.name;
}

const parts = () => location.hash.slice(1).split("&").filter(Boolean);
/** @param {string} part */
const isField = (part) => part.includes("=");
/** @param {string} part */
const isToken = (part) => TOKEN.test(part) && !PLACE.test(part);

/** The key or code of the address, if there is one. */
export const tokenOfAddress = () => parts().find(isToken) ?? "";
/** The place that the address names, or the nearest one, if it names any. */
export function placeOfAddress() {
  const words = parts().filter((part) => !isField(part) && !isToken(part));
  const place = words.find((part) => PLACE.test(part));
  try { return place ?? nearestPlace(words[0] ?? ""); } catch { return ""; }
}
/** The fields of a position. */
export const linkFields = () => parts().filter(isField).join("&");

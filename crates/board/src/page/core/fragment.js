// What stands behind the `#` of the address, which no server sees, in parts between `&`: the key to the program, a place
// of the page such as `analyse` or `game/12`, and the fields of a link to a position.

/** The places, each with what may follow it. */
const PLACE = /^(play|analyse|review|setup|solve|games|train(\/\w+)?|game\/.+)$/;

const parts = () => location.hash.slice(1).split("&").filter(Boolean);
/** @param {string} part */
const isField = (part) => part.includes("=");

/** The key or code of the address, if there is one. */
export const tokenOfAddress = () => parts().find((part) => !isField(part) && !PLACE.test(part)) ?? "";
/** The place that the address names, if it names one. */
export const placeOfAddress = () => parts().find((part) => PLACE.test(part)) ?? "";
/** The fields of a link to a position. */
export const linkFields = () => parts().filter(isField).join("&");

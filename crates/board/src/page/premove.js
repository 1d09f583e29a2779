// The premove: a move made while Chuhe thinks, played at once if it is legal then.

/** @type {string | null} */
let premove = null;

/** The squares that a piece may go to if nothing stands in its way. @param {string} letter @param {string} from */
function reach(letter, from) {
  const [file, rank] = ["abcdefghi".indexOf(from[0]), Number(from[1])];
  const isRed = letter === letter.toUpperCase();
  // As seen by its own side, its back rank is 0.
  const own = (at) => (isRed ? at : 9 - at);
  const inPalace = (x, y) => x >= 3 && x <= 5 && own(y) <= 2;
  /** @type {Object<string, (dx: number, dy: number, x: number, y: number) => boolean>} */
  const goes = {
    k: (dx, dy, x, y) => dx + dy === 1 && inPalace(x, y),
    a: (dx, dy, x, y) => dx === 1 && dy === 1 && inPalace(x, y),
    b: (dx, dy, x, y) => dx === 2 && dy === 2 && own(y) <= 4,
    n: (dx, dy) => dx * dy === 2,
    r: (dx, dy) => dx * dy === 0,
    c: (dx, dy) => dx * dy === 0,
    p: (dx, dy, x, y) => dx + dy === 1 && own(y) >= own(rank) && (dx === 0 || own(rank) >= 5),
  };
  const squares = [];
  for (let x = 0; x < 9; x++) {
    for (let y = 0; y < 10; y++) {
      const isThere = x === file && y === rank;
      if (!isThere && goes[letter.toLowerCase()](Math.abs(x - file), Math.abs(y - rank), x, y)) squares.push("abcdefghi"[x] + y);
    }
  }
  return squares;
}

/** All premoves of a side, also onto its own pieces, which may be taken until then.
 * @param {Map<string, string>} pieces @param {string} side @returns {string[]} */
function premoves(pieces, side) {
  const own = [...pieces].filter(([, letter]) => (letter === letter.toUpperCase()) === (side === "red"));
  return own.flatMap(([from, letter]) => reach(letter, from).map((to) => from + to));
}

/** @param {string | null} move */
function setPremove(move) {
  premove = move;
  if (mode === "play") refresh();
  if (move) speak(plain(words("premoved")));
}

/** Plays the premove, or forgets it if it cannot be played. */
function playPremove() {
  const move = premove;
  premove = null;
  if (move && game.legal.includes(move)) wish("play", { move });
}

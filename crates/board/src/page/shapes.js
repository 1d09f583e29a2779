// Arrows and circles that the user draws with the right button; Shift and Alt choose other colours, the same one again
// erases it, a click on the board all of them.

const INKS = { plain: "#1f7a4d", shift: "#b3201a", alt: "#2b6cb0", both: "#b7791f" };
/** @type {Map<string, {from: string, to: string, ink: string}>} */
const shapes = new Map();
/** Where a shape begins that is being drawn. @type {string} */
let shapeFrom = "";

const shapeLayer = document.createElementNS("http://www.w3.org/2000/svg", "g");
shapeLayer.setAttribute("class", "shapes");
board.append(shapeLayer);

/** The moves of the arrows that are drawn, for a picture. @returns {string[]} */
const drawnArrows = () => [...shapes.values()].filter(({ from, to }) => from !== to).map(({ from, to }) => from + to);

function drawShapes() {
  shapeLayer.innerHTML = [...shapes.values()].map(({ from, to, ink }) => {
    const [[x0, y0], [x1, y1]] = [spot(from), spot(to)];
    if (from === to) return `<circle cx="${x0}" cy="${y0}" r="23" stroke="${INKS[ink]}"/>`;
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [along, across] = [[(x1 - x0) / length, (y1 - y0) / length], [(y0 - y1) / length, (x1 - x0) / length]];
    const at = (by, side) => `${(x0 + along[0] * by + across[0] * side).toFixed(1)} ${(y0 + along[1] * by + across[1] * side).toFixed(1)}`;
    const head = `M${at(length - 3, 0)}L${at(length - 20, 10)}L${at(length - 20, -10)}Z`;
    return `<path d="M${at(14, 0)}L${at(length - 18, 0)}" stroke="${INKS[ink]}"/><path class="head" d="${head}" fill="${INKS[ink]}"/>`;
  }).join("");
}

function clearShapes() {
  if (!shapes.size) return;
  shapes.clear();
  drawShapes();
}

board.addEventListener("contextmenu", (event) => event.preventDefault());
board.addEventListener("pointerdown", (event) => {
  if (event.button === 0) return clearShapes();
  if (event.button !== 2) return;
  [shapeFrom] = under(event);
  board.setPointerCapture(event.pointerId);
  if (premove) setPremove(null);
});
board.addEventListener("pointerup", (event) => {
  if (event.button !== 2 || !shapeFrom) return;
  const [[to], from] = [under(event), shapeFrom];
  shapeFrom = "";
  if (!to) return;
  const ink = event.shiftKey ? (event.altKey ? "both" : "shift") : event.altKey ? "alt" : "plain";
  const known = shapes.get(from + to);
  shapes.delete(from + to);
  if (known?.ink !== ink) shapes.set(from + to, { from, to, ink });
  drawShapes();
});

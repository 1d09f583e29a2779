// What surrounds the modes: the choices of the look, the sheets of a phone, the dialog of a new game.

// --- the look ---

const USUAL_LOOK = { pieces: "wood", board: "wood", coordinates: "chinese", octagons: "off" };
const lookOf = (name) => document.documentElement.dataset[name] ?? USUAL_LOOK[name];

/** All choices by their names. */
const looks = () => Object.fromEntries(Object.keys(USUAL_LOOK).map((name) => [name, lookOf(name)]));

function tellLook() {
  for (const button of all("[data-set]")) button.setAttribute("aria-pressed", lookOf(button.dataset.set) === button.dataset.value);
}

for (const button of all("[data-set]")) {
  button.addEventListener("click", () => {
    const { set, value } = button.dataset;
    document.documentElement.dataset[set] = value;
    store.set(set, value);
    tellLook();
  });
}
tellLook();

// A menu closes with a click elsewhere, with Escape, and when something of it was chosen.
document.addEventListener("click", (event) => {
  for (const menu of all(".menu[open]")) {
    const stays = menu.id === "settings" ? menu.contains(event.target) : closest(event, "summary")?.parentNode === menu;
    if (!stays) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = document.querySelector(".menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.removeAttribute("open");
  menu.querySelector("summary").focus();
});

// --- sheets ---

/** Opens a sheet, or closes the open one. @param {string} name */
function openSheet(name) {
  document.body.dataset.sheet = name;
  for (const button of all(".dock [data-sheet]")) button.setAttribute("aria-expanded", button.dataset.sheet === name);
}

for (const button of all(".dock [data-sheet]")) {
  button.addEventListener("click", (event) => {
    openSheet(document.body.dataset.sheet === button.dataset.sheet ? "" : button.dataset.sheet);
    event.stopPropagation();
  });
}
document.addEventListener("click", (event) => {
  if (!document.body.dataset.sheet) return;
  const within = closest(event, ".more, .files");
  // What was done is to be seen: only fields, menus and switches keep the sheet open.
  if (!within || closest(event, ".tile[data-wish], .tile[data-go], .deed:not(#review), .menu button, [data-branch], [data-node], .counts button")) openSheet("");
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && document.body.dataset.sheet) openSheet(""); });
for (const tab of all("[data-mode-of]")) {
  tab.addEventListener("click", () => openSheet(tab.dataset.modeOf === "games" && tree.nodes.length === 1 ? "files" : ""));
}

// --- a new game ---

const levelToBegin = byId("begin").elements.level;
const tellLevelToBegin = () => write(byId("levelToBegin"), levelName(Number(levelToBegin.value)));
levelToBegin.addEventListener("input", tellLevelToBegin);

function askForGame() {
  levelToBegin.value = byId("level").value;
  tellLevelToBegin();
  byId("beginning").showModal();
}

for (const name of ["newGame", "otherGame"]) byId(name).addEventListener("click", askForGame);
byId("notBegin").addEventListener("click", () => byId("beginning").close());
byId("beginning").addEventListener("click", (event) => { if (event.target === byId("beginning")) byId("beginning").close(); });

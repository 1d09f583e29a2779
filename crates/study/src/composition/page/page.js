// Steps through the trees of the problems. PROBLEMS holds of each its position, the moves of its tree and the move
// before each of them.

// The current place: a problem, and a move of its tree (-1 is its first position).
let here = { problem: 0, at: -1 };

// The moves of the tree from the first position to a place.
function pathTo({ problem, at }) {
  const { moves, parents } = PROBLEMS[problem];
  const path = [];
  for (let move = at; move >= 0; move = parents[move] ?? -1) path.unshift(moves[move]);
  return path;
}

// The first move that follows a place, which is on the main line if the place is.
function next({ problem, at }) {
  return PROBLEMS[problem].parents.findIndex((parent) => (parent ?? -1) === at);
}

function show(problem, at) {
  if (!PROBLEMS[problem]) return;
  here = { problem, at };
  const following = next(here);
  const move = following < 0 ? "" : PROBLEMS[problem].moves[following];
  drawBoard(PROBLEMS[problem].start, pathTo(here), move ? arrow(move, "best", "#1f7a4d") : "");
  for (const section of queryAll(".problem")) {
    section.classList.toggle("here", Number(section.dataset.problem) === problem);
  }
  for (const step of queryAll(".step")) {
    const isHere = Number(step.dataset.problem) === problem && Number(step.dataset.at) === at;
    step.classList.toggle("here", isHere);
  }
}

function toEnd() {
  let { problem, at } = here;
  for (let following = next({ problem, at }); following >= 0; following = next({ problem, at })) at = following;
  show(problem, at);
}

const actions = {
  first: () => show(here.problem, -1),
  back: () => show(here.problem, here.at < 0 ? -1 : PROBLEMS[here.problem].parents[here.at] ?? -1),
  on: () => {
    const following = next(here);
    if (following >= 0) show(here.problem, following);
  },
  last: toEnd,
  flip: () => { flipBoard(); show(here.problem, here.at); },
};

bindActions(actions, { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip", F: "flip" });

document.addEventListener("click", (event) => {
  const target = event.target.closest("button[data-problem]");
  if (target) show(Number(target.dataset.problem), Number(target.dataset.at ?? -1));
});

show(0, -1);

// What `orders.py` runs in the page: presses two things, one soon after the other, and says whether the game goes on then.
// Everything is pressed as a person presses it: by buttons that are there and can be used, or by typing a move.
(() => {
  const find = (selector) => document.querySelector(selector);
  const isUsable = (button) => button.checkVisibility() && !button.disabled;
  const later = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const game = () => chuheBoard.game;
  // SplitMix32: the same numbers on every machine.
  let state = 0;
  const below = (bound) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % bound;
  };

  /** Presses a button if it is there; one that cannot be used says why. */
  const press = (selector) => () => {
    const buttons = [...document.querySelectorAll(selector)].filter((button) => button.checkVisibility());
    const silent = buttons.find((button) => button.disabled && button.dataset.request && !button.title);
    if (silent) throw new Error(`${selector} cannot be used and does not say why`);
    buttons.find(isUsable)?.click();
  };
  const click = (selector) => () => find(selector).click();
  const mode = (name) => click(`[data-mode-of=${name}]`);
  const begin = (seat, clock) => () => {
    if (!find("#beginning").open) find("#newGame").click();
    const fields = find("#begin").elements;
    [fields.seat.value, fields.level.value, fields.clock.value, fields.position.value] = [seat, 1, clock, ""];
    find("#begin").requestSubmit();
  };
  const play = () => {
    const { legal } = game();
    find("#typed").value = legal[below(legal.length)] ?? "a3a4";
    find("#typing").requestSubmit();
  };
  const touchMove = () => {
    const { legalMoves } = chuheBoard;
    if (!legalMoves.length) return;
    const move = legalMoves[below(legalMoves.length)];
    for (const square of [move.slice(0, 2), move.slice(2)]) {
      const [clientX, clientY] = chuheBoard.pointOf(square);
      const options = { clientX, clientY, bubbles: true, pointerId: 1, isPrimary: true, button: 0 };
      for (const kind of ["pointerdown", "pointerup"]) find(".stage .board").dispatchEvent(new PointerEvent(kind, options));
    }
  };
  const comeBack = () => {
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  };

  const actions = {
    play, touchMove, comeBack,
    hint: press("[data-request=hint]"), moveNow: press("[data-request=move-now]"), undo: press("[data-request=undo]"),
    offerDraw: press("[data-request=offer-draw]"), resign: press("[data-request=resign]"),
    beginRed: begin("red", ""), beginBlack: begin("black", "300+5"), beginBoth: begin("both", ""),
    swapSides: press("#swapSides"), rematch: press("#rematch"), confirm: press("#confirmMove"), refuse: press("#refuseMove"),
    back: press("[data-go=back]"), first: press("[data-go=first]"), last: press("[data-go=last]"), flip: click("[data-go=flip]"),
    analyse: mode("analyse"), review: mode("review"), setup: mode("setup"), games: mode("games"), train: mode("train"), toPlay: mode("play"),
    analyseGame: click("#analyseGame"), engine: press("#engine"), threat: press("#threat"),
    optionConfirm: click("[data-option=confirm]"), optionPremove: click("[data-option=premove]"),
  };
  const names = Object.keys(actions);
  // Of every pair one is a request of the game.
  const ofGame = ["play", "touchMove", "comeBack", "hint", "moveNow", "undo", "offerDraw", "resign", "beginRed", "beginBlack"];
  const allPairs = names.flatMap((first) => names.map((second) => [first, second])).filter((pair) => pair.some((name) => ofGame.includes(name)));

  /** Whether somebody has something to do: the user, or nobody as the game is over. */
  const isSettled = ({ end, thinking, legal }) => Boolean(end) || !thinking && legal.length > 0;

  /** Goes back to the game, and waits until it can go on; has the engine move at once. Returns what is wrong. */
  async function settle(patience) {
    const until = performance.now() + patience;
    for (;;) {
      const question = find("#question");
      if (question.open) question.querySelector("[value=discard]").click();
      if (find("#beginning").open && !find("#beginWrong").hidden) return `no game begins: ${find("#beginWrong").innerText}`;
      if (chuheBoard.mode !== "play") find("[data-mode-of=play]").click();
      actions.refuse();
      // Nothing is on its way any more when the program has answered and every wish is met.
      await chuheBoard.flushed();
      if (!find("#beginning").open && isSettled(game()) && !chuheBoard.proposedMove) break;
      if (performance.now() > until) {
        const { moves, side, seat, thinking, message } = game();
        const { mode, ply, proposedMove, premove } = chuheBoard;
        const said = [find("#notice"), find("#status")].map((line) => line.innerText);
        const open = find("#beginning").open;
        return `the game hangs: ${JSON.stringify({ moves, side, seat, thinking, message, mode, ply, proposedMove, premove, open, said })}`;
      }
      actions.last();
      actions.moveNow();
      await later(4);
    }
    return find("#status").innerText.trim() || game().end ? "" : "the page does not say whose turn it is";
  }

  /** Runs orders of two; returns what is wrong with the first that fails, or "". */
  window.runOrders = async (seed, count, patience = 20000) => {
    state = seed;
    const pairs = [...allPairs];
    for (let done = 0; done < count; done++) {
      const { moves, end } = game();
      if (end || moves.length > 20) {
        begin("red", "")();
        const wrong = await settle(patience);
        if (wrong) return wrong;
      }
      // Every pair once, in an order of its own.
      const [first, second] = pairs.splice(below(pairs.length), 1)[0];
      const times = [[0, 3, 12, 40, 90][below(5)], [0, 0, 5, 20][below(4)]];
      let wrong;
      try {
        actions[first]();
        await later(times[0]);
        actions[second]();
        await later(times[1]);
        wrong = await settle(patience);
      } catch (error) {
        wrong = String(error?.stack ?? error);
      }
      if (wrong) return `${first}, after ${times[0]} ms ${second}: ${wrong}`;
    }
    return "";
  };
  window.countOrders = allPairs.length;
})();

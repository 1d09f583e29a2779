// The texts of the shell in both languages, which are there before those of the page.

const SHELL_TEXTS = {
  loading: { zh: "正在下载引擎，{done} / {total} MB", en: "Downloading the engine, {done} of {total} MB" },
  retrying: { zh: "下载中断，正在从 {done} / {total} MB 处继续 ……", en: "The download broke off. It goes on from {done} of {total} MB …" },
  offline: { zh: "网络已断开。恢复后从 {done} / {total} MB 处继续下载。", en: "There is no network. The download goes on from {done} of {total} MB when there is." },
  refused: { zh: "引擎文件下载不了（{reason}），正在重试 ……", en: "The file of the engine cannot be had ({reason}). Trying again …" },
  preparing: { zh: "正在启动引擎 ……", en: "Starting the engine …" },
  mixed: { zh: "网站刚刚更新，请重新载入本页。", en: "The site has just been updated. Load this page again." },
  noSimd: {
    zh: "这个浏览器太旧，运行不了引擎：需要 WebAssembly SIMD（Chrome 91、Firefox 114、Safari 16.4 或更新）。",
    en: "This browser is too old to run the engine, which needs WebAssembly SIMD: Chrome 91, Firefox 114, Safari 16.4 or later.",
  },
  broken: { zh: "引擎启动不了：{reason}", en: "The engine cannot be started: {reason}" },
  otherTab: { zh: "楚河已在另一个标签页中打开：这里的对局不会保存。", en: "Chuhe is open in another tab: games are not kept here." },
  otherTabGone: { zh: "另一个标签页已关闭。重新载入后，这里的对局就会保存。", en: "The other tab has been closed. Load this page again, and games are kept here." },
  noStorage: { zh: "浏览器不保存任何内容（无痕模式？）：可以照常下棋，对局请存为文件。", en: "The browser keeps nothing (a private window?): play on, and save games as files." },
  full: { zh: "浏览器的存储空间已满，对局没有保存：请存为文件。", en: "The browser's storage is full, and the game is not kept: save it as a file." },
  update: { zh: "楚河有新版本。", en: "There is a new version of Chuhe." },
  updateNow: { zh: "更新", en: "Update" },
  later: { zh: "以后再说", en: "Later" },
  ok: { zh: "知道了", en: "OK" },
  reload: { zh: "重新载入", en: "Load again" },
  remind: {
    zh: "浏览器可能会删除保存在这里的对局。上次导出以来已下完 {games} 局。",
    en: "The browser may delete the games that are kept here. {games} have ended since they were last saved as a file.",
  },
  saveAll: { zh: "全部对局", en: "All games" },
  saveAllNow: { zh: "全部存为文件", en: "Save all as a file" },
  nothingKept: { zh: "这里还没有保存对局。", en: "No games are kept here yet." },
  share: { zh: "分享", en: "Share" },
};

/** A text with the names in braces filled in.
 * @param {keyof typeof SHELL_TEXTS} name @param {Record<string, string | number>} values @returns {Bilingual} */
export function shellText(name, values = {}) {
  /** @param {string} text */
  const fill = (text) => text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
  return { zh: fill(SHELL_TEXTS[name].zh), en: fill(SHELL_TEXTS[name].en) };
}

/** An error with a text for the page; after one that is `final` nothing is tried again. */
export class ShellError extends Error {
  /** @param {Bilingual} text @param {boolean} final */
  constructor(text, final = true) {
    super(text.en);
    this.text = text;
    this.final = final;
  }
}

// A board that is shared on the local network: the invitation of the next device, and the devices that are paired. A page
// of such a device is in no secure context; what the browser then refuses is hidden.

import { byId, queryAll } from "../../../../study/src/html_page/board.js";
import { createButton, createElement, onClick, setText, translation } from "../core/elements.js";
import { showConnectionLost } from "../core/session.js";
import { transport } from "../core/transport.js";

/** How often the open dialog asks for news, in milliseconds. */
const INTERVAL = 1000;

/** What the invited device may do. @type {Access} */
let invited = "device";
/** @type {Invitation | null} */
let shown = null;
/** Whether a device was paired while the dialog was open. */
let hasPaired = false;

/** Shows an invitation, and what has changed since the last one. @param {Invitation} invitation */
function showInvitation(invitation) {
  const { address, qr, devices, slowed } = invitation;
  if (shown?.address !== address) {
    hasPaired = shown !== null;
    byId("lanCode").src = `data:image/svg+xml,${encodeURIComponent(qr)}`;
    byId("lanAddress").textContent = address;
  }
  const waits = slowed.map((device) => translation("slowedDevice", { device }));
  setText(byId("lanNews"), hasPaired ? translation("devicePaired") : null, ...waits);
  if (String(shown?.devices) !== String(devices)) {
    const row = (/** @type {string} */ device) => createElement("li", {}, device, " ", createButton("deed", { device }, translation("dismissDevice")));
    byId("lanDevices").replaceChildren(...devices.map(row));
  }
  shown = invitation;
}

/** @param {string} [dismissed] */
async function update(dismissed) {
  try {
    showInvitation(await transport.invitation(invited, dismissed));
    return true;
  } catch {
    byId("lanDialog").close();
    showConnectionLost();
    return false;
  }
}

/** Shows how a device is paired or invited. @param {Access} access */
export async function openInvitation(access) {
  [shown, hasPaired, invited] = [null, false, access];
  for (const part of queryAll("#lanDialog [data-access]")) part.hidden = part.dataset.access !== access;
  if (!await update()) return;
  byId("lanDialog").showModal();
  const timer = setInterval(() => { update(); }, INTERVAL);
  byId("lanDialog").addEventListener("close", () => clearInterval(timer), { once: true });
}

export function bindLan() {
  byId("lan").hidden = document.documentElement.dataset.lan === undefined;
  onClick({ lan: () => openInvitation("device") });
  byId("lanDevices").addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button) update(button.dataset.device);
  });
  if (!navigator.clipboard) for (const name of ["copyFen", "copyMoves", "copyLink"]) byId(name).hidden = true;
}

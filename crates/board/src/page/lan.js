// A board that is shared on the local network: the invitation of the next device. A page of such a device is in no secure
// context; what the browser then refuses is hidden.

import { byId } from "./board.js";
import { showConnectionLost } from "./session.js";
import { transport } from "./transport.js";

async function showInvitation() {
  try {
    const { address, qr } = await transport.invitation();
    byId("lanCode").src = `data:image/svg+xml,${encodeURIComponent(qr)}`;
    byId("lanAddress").textContent = address;
    byId("lanDialog").showModal();
  } catch {
    showConnectionLost();
  }
}

export function bindLan() {
  byId("lan").hidden = document.documentElement.dataset.lan === undefined;
  byId("lan").addEventListener("click", showInvitation);
  if (!navigator.clipboard) for (const name of ["copyFen", "copyMoves", "copyLink"]) byId(name).hidden = true;
}

// A board that is shared on the local network: the invitation of the next device. A page of such a device is in no secure
// context; what the browser then refuses is hidden.

const isSharing = document.documentElement.dataset.lan !== undefined;
byId("lan").hidden = !isSharing;

byId("lan").addEventListener("click", async () => {
  try {
    const { address, qr } = await transport.invitation();
    byId("lanCode").src = `data:image/svg+xml,${encodeURIComponent(qr)}`;
    byId("lanAddress").textContent = address;
    byId("lanDialog").showModal();
  } catch {
    lost();
  }
});

if (!navigator.clipboard) for (const name of ["copyFen", "copyMoves", "copyLink"]) byId(name).hidden = true;

// The files of the board, kept in IndexedDB. Only one tab writes them: the first, as long as it is open.

// Sites of one origin, such as those of a user of GitHub, share storage: names begin with the path of this one.
const SITE = new URL(".", location.href).pathname;

const keptFiles = (() => {
  const [NAME, STORE] = [`chuhe:${SITE}`, "files"];
  /** @type {IDBDatabase | null} */
  let database = null;
  let isOwner = true;

  /** @returns {Promise<IDBDatabase>} */
  function open() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onsuccess = () => resolve(request.result);
      request.onerror = request.onblocked = () => reject(request.error ?? new Error("blocked"));
    });
  }

  /** All files. @param {IDBDatabase} from @returns {Promise<Object<string, Uint8Array<ArrayBuffer>>>} */
  function readAll(from) {
    return new Promise((resolve, reject) => {
      const transaction = from.transaction(STORE);
      const [names, values] = [transaction.objectStore(STORE).getAllKeys(), transaction.objectStore(STORE).getAll()];
      transaction.oncomplete = () => resolve(Object.fromEntries(names.result.map((name, index) => [name, values.result[index]])));
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** Becomes the tab that keeps games, if no other one is; otherwise tells when that has been closed.
   * @param {() => void} released @returns {Promise<boolean>} */
  function claim(released) {
    // Not in a page without https: there the last tab that writes is right.
    if (!navigator.locks) return Promise.resolve(true);
    const forever = new Promise(() => {});
    return new Promise((resolve) => {
      navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
        resolve(Boolean(lock));
        if (lock) return forever;
        navigator.locks.request(NAME, () => { released(); return forever; });
      });
    });
  }

  return {
    /** Reads all files; says why none will be kept. @param {() => void} released
     * @returns {Promise<{files: Object<string, Uint8Array<ArrayBuffer>>, trouble?: ShellText}>} */
    async load(released) {
      isOwner = await claim(released);
      try {
        database = await open();
        database.onversionchange = () => database.close();
        const files = await readAll(database);
        if (isOwner) return { files };
        // The other tab goes on with it.
        delete files["unfinished.pgn"];
        return { files, trouble: shellText("otherTab") };
      } catch {
        database = null;
        return { files: {}, trouble: shellText("noStorage") };
      }
    },

    /** Keeps files, all of them or none; `null` stands for one that is removed.
     * @param {Object<string, Uint8Array | null>} files @returns {Promise<void>} */
    write(files) {
      if (!database || !isOwner) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const fail = () => reject(toldError(shellText("full")));
        try {
          const transaction = database.transaction(STORE, "readwrite");
          const store = transaction.objectStore(STORE);
          transaction.oncomplete = () => resolve();
          transaction.onabort = fail;
          for (const [name, bytes] of Object.entries(files)) bytes ? store.put(bytes, name) : store.delete(name);
          // Not only when the event loop comes to it: the page may be about to end.
          transaction.commit();
        } catch {
          fail();
        }
      });
    },

    /** Whether anything is kept at all. */
    keeps: () => Boolean(database) && isOwner,

    /** The file of this name, as it is kept now. @param {string} name @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} */
    read: async (name) => (database ? (await readAll(database))[name] : undefined),
  };
})();

// Unpacks LZMA (the format of `xz --format=lzma`) while it comes. Gzip, which browsers unpack themselves, would make the
// engine a fifth larger.

/** @param {Uint8Array<ArrayBuffer>} packed Room for all of it, filled from its beginning.
 * @param {number} size The size of what is unpacked. */
export function lzmaUnpacker(packed, size) {
  const HEADER = 13;
  // The most bytes that a symbol takes.
  const LONGEST = 24;
  const out = new Uint8Array(size);
  let [at, written, begun] = [HEADER, 0, false];
  let [range, code] = [0xffffffff, 0];
  let [state, rep0, rep1, rep2, rep3] = [0, 0, 0, 0, 0];
  let [contextBits, literalMask, positionMask] = [0, 0, 0];

  // The probabilities, in one array: where those of each kind begin.
  const [MATCH, REP, REP_0, REP_1, REP_2, REP_0_LONG] = [0, 192, 204, 216, 228, 240];
  const [SLOT, SPECIAL, ALIGN, LENGTH, REP_LENGTH, LITERAL] = [432, 688, 816, 832, 1346, 1860];
  let chances = new Uint16Array();

  function begin() {
    const properties = packed[0];
    contextBits = properties % 9;
    literalMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
    positionMask = (1 << Math.floor(properties / 45)) - 1;
    chances = new Uint16Array(LITERAL + (0x300 << (contextBits + (Math.floor(properties / 9) % 5)))).fill(1024);
    for (let count = 0; count < 5; count++) code = ((code << 8) | packed[at++]) >>> 0;
    begun = true;
  }

  /** @param {number} index */
  function bit(index) {
    const chance = chances[index];
    const bound = (range >>> 11) * chance;
    let found = 0;
    if (code < bound) {
      range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
    } else {
      range -= bound;
      code -= bound;
      chances[index] = chance - (chance >> 5);
      found = 1;
    }
    if (range < 0x1000000) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | packed[at++]) >>> 0;
    }
    return found;
  }

  /** @param {number} base @param {number} bits */
  function tree(base, bits) {
    let node = 1;
    for (let count = 0; count < bits; count++) node = (node << 1) | bit(base + node);
    return node - (1 << bits);
  }

  /** @param {number} base @param {number} bits */
  function treeFromLow(base, bits) {
    let [node, value] = [1, 0];
    for (let count = 0; count < bits; count++) {
      const found = bit(base + node);
      node = (node << 1) | found;
      value |= found << count;
    }
    return value;
  }

  /** @param {number} count */
  function evenBits(count) {
    let value = 0;
    for (; count > 0; count--) {
      range >>>= 1;
      value <<= 1;
      if (code >= range) {
        code -= range;
        value |= 1;
      }
      if (range < 0x1000000) {
        range = (range << 8) >>> 0;
        code = ((code << 8) | packed[at++]) >>> 0;
      }
    }
    return value;
  }

  /** @param {number} base @param {number} position */
  function length(base, position) {
    if (!bit(base)) return 2 + tree(base + 2 + position * 8, 3);
    if (!bit(base + 1)) return 10 + tree(base + 130 + position * 8, 3);
    return 18 + tree(base + 258, 8);
  }

  /** @param {number} lengthFound */
  function distance(lengthFound) {
    const slot = tree(SLOT + Math.min(lengthFound - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + treeFromLow(SPECIAL + high - slot, bits);
    return (high + (evenBits(bits - 4) << 4) + treeFromLow(ALIGN, 4)) >>> 0;
  }

  function literal() {
    const before = written ? out[written - 1] : 0;
    const base = LITERAL + 0x300 * (((written & literalMask) << contextBits) + (before >> (8 - contextBits)));
    let node = 1;
    if (state >= 7) {
      for (let matched = out[written - rep0 - 1]; node < 256; ) {
        const wanted = (matched >> 7) & 1;
        matched <<= 1;
        const found = bit(base + ((1 + wanted) << 8) + node);
        node = (node << 1) | found;
        if (found !== wanted) break;
      }
    }
    while (node < 256) node = (node << 1) | bit(base + node);
    out[written++] = node;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }

  /** One literal or one copy of what is there already. */
  function symbol() {
    const position = written & positionMask;
    if (!bit(MATCH + state * 16 + position)) return literal();
    let count;
    if (!bit(REP + state)) {
      [rep3, rep2, rep1] = [rep2, rep1, rep0];
      count = length(LENGTH, position);
      state = state < 7 ? 7 : 10;
      rep0 = distance(count);
    } else {
      if (bit(REP_0 + state)) useOlder();
      else if (!bit(REP_0_LONG + state * 16 + position)) {
        state = state < 7 ? 9 : 11;
        return copy(1);
      }
      count = length(REP_LENGTH, position);
      state = state < 7 ? 8 : 11;
    }
    copy(count);
  }

  /** One of the older distances becomes the latest one. */
  function useOlder() {
    let older = rep1;
    if (bit(REP_1 + state)) {
      older = rep2;
      if (bit(REP_2 + state)) {
        older = rep3;
        rep3 = rep2;
      }
      rep2 = rep1;
    }
    rep1 = rep0;
    rep0 = older;
  }

  /** @param {number} count */
  function copy(count) {
    if (rep0 >= written) throw new Error("a wrong distance");
    for (const end = Math.min(written + count, size); written < end; written++) out[written] = out[written - rep0 - 1];
  }

  return {
    /** Unpacks as far as the first bytes reach; returns what is new. @param {number} available
     * @returns {Uint8Array<ArrayBuffer>} */
    advance(available) {
      const from = written;
      const isAll = available === packed.length;
      if (!begun && available < HEADER + LONGEST) return out.subarray(0, 0);
      if (!begun) begin();
      while (written < size && (isAll || at + LONGEST <= available)) symbol();
      return out.subarray(from, written);
    },
    /** All that was unpacked. */
    all: () => out,
  };
}

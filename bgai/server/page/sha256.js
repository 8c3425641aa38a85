// SHA-256 and HMAC. Browsers have both, but give them only to pages from https or from this machine; a telephone that
// reaches a server in the same room over http gets the second version, which is slower and the same.

const BLOCK = 64;

/** The hash, 32 bytes. */
export async function sha256(bytes) {
  if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return plainSha256(bytes);
}

/** HMAC-SHA-256, 32 bytes. */
export async function hmac(key, message) {
  if (globalThis.crypto?.subtle) {
    const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
  }
  return plainHmac(key, message);
}

/** RFC 2104. */
export function plainHmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? plainSha256(key) : key);
  const inner = joined(block.map((byte) => byte ^ 0x36), message);
  return plainSha256(joined(block.map((byte) => byte ^ 0x5c), plainSha256(inner)));
}

function joined(one, other) {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The first 32 bits of the fractional parts of roots of the first primes, where the standard takes its constants from. */
function fractions(root, many) {
  const found = [];
  for (let n = 2; found.length < many; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (prime) found.push(exactRoot(BigInt(n), root));
  }
  return Uint32Array.from(found);
}

/** Doubles are not exact enough for the last bits, so the root is found in whole numbers. */
function exactRoot(n, root) {
  const scaled = n << BigInt(32 * root);
  let low = 0n;
  let high = n << 32n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** BigInt(root) <= scaled) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}

let constants = null;

/** FIPS 180-4, section 6.2. */
export function plainSha256(bytes) {
  constants ??= { start: fractions(2, 8), round: fractions(3, 64) };
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const hash = Uint32Array.from(constants.start);
  const words = new Uint32Array(64);
  const turned = (word, by) => (word >>> by) | (word << (32 - by));
  for (let start = 0; start < padded.length; start += BLOCK) {
    for (let n = 0; n < 16; n++) words[n] = view.getUint32(start + 4 * n);
    for (let n = 16; n < 64; n++) {
      const [w15, w2] = [words[n - 15], words[n - 2]];
      const s0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >>> 3);
      const s1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >>> 10);
      words[n] = words[n - 16] + s0 + words[n - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let n = 0; n < 64; n++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants.round[n] + words[n]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) hash[n] += word;
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, n) => out.setUint32(4 * n, word));
  return new Uint8Array(out.buffer);
}

/**
 * Values as short text for an address: JSON, compressed (RFC 1951), as base64url.
 */

/** The most letters of a text, and the most bytes of its JSON. */
export const LONGEST = 500_000;
const MOST_BYTES = 8_000_000;

/** @param {unknown} value */
export async function pack(value) {
  const bytes = await bytesOf(new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Throws if the text is cut off, damaged or too long. @param {string} text @returns {Promise<unknown>} */
export async function unpack(text) {
  if (text.length > LONGEST) throw new RangeError("the text is too long");
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const read = await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(read));
}

/** @param {ReadableStream<Uint8Array>} stream */
async function bytesOf(stream) {
  const reader = stream.getReader();
  /** @type {BlobPart[]} */
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST_BYTES) {
      reader.cancel().catch(() => {});
      throw new RangeError("the text is too long");
    }
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

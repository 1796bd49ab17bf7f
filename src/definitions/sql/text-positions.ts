/**
 * Converts offsets. PostgreSQL's parser locates nodes and tokens in UTF-8 bytes and errors in characters; JavaScript
 * counts UTF-16 units.
 */

export type TextPositions = ReturnType<typeof positionsIn>

export function positionsIn(text: string) {
  const bytes = new Uint32Array(Buffer.byteLength(text) + 1)
  const characters = new Uint32Array(text.length + 1)
  let byte = 0
  let count = 0
  let at = 0
  while (at < text.length) {
    const code = text.codePointAt(at)!
    const end = byte + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
    while (byte < end) bytes[byte++] = at
    characters[count++] = at
    at += code < 0x10000 ? 1 : 2
  }
  bytes[byte] = at
  characters.fill(at, count)
  return {
    /** UTF-8 byte offset to UTF-16 offset. */
    ofByte: (offset: number): number => bytes[Math.min(offset, byte)] ?? at,
    /** Character (code point) offset to UTF-16 offset. */
    ofCharacter: (offset: number): number => characters[Math.min(offset, count)] ?? at,
  }
}

let last = { text: '', starts: [0] }

/** From 1. */
export function lineAt(text: string, offset: number): number {
  // why: calls in a row are for one text, and scanning it for each finding would take quadratic time
  if (last.text !== text) {
    last = { text, starts: [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)] }
  }
  let [low, high] = [1, last.starts.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (last.starts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** From 1, in characters as editors and psql count them. */
export function columnAt(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return Array.from(text.slice(start, offset)).length + 1
}

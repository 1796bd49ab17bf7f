/** The distinct texts of a column, encoded as a Parquet dictionary page. Knows nothing of rows. */
import { ByteWriter } from 'hyparquet-writer'
import type { Bytes } from '../../../model/terms.ts'
import { writePlainText } from './plain-text.ts'

/** Length prefix of a text. */
const LENGTH_BYTES: Bytes = 4
/** Larger dictionaries save little and use more memory. */
const MAX_BYTES: Bytes = 64 * 1024
const MAX_COUNT = 4096
const SLOT_MASK = 2 * MAX_COUNT - 1

export interface TextDictionary {
  /** The index of the text; -1 if the dictionary is full. A new text is added, one that is not UTF-8 each time. */
  indexOf(from: Buffer, start: number, end: number): number
  /** In PLAIN encoding, with its length. */
  entry(index: number): Uint8Array
  /** All entries. */
  bytes(): Uint8Array
  count(): number
  clear(): void
}

// why: with a Map of strings, encoding a register of operations took 1.2 times as long
export function createTextDictionary(): TextDictionary {
  const page = new ByteWriter()
  /** Offset of each text in the page, and the end of the last. */
  const starts = [0]
  /** Hash table of index + 1; 0 is an empty slot. */
  const slots = new Int32Array(SLOT_MASK + 1)

  function isSame(index: number, bytes: Buffer, start: number, end: number): boolean {
    let offset = starts[index]! + LENGTH_BYTES
    if (starts[index + 1]! - offset !== end - start) return false
    for (; start < end; start += 1, offset += 1) {
      if (bytes[start] !== page.view.getUint8(offset)) return false
    }
    return true
  }

  return {
    indexOf(from, start, end) {
      let slot = hashOf(from, start, end) & SLOT_MASK
      for (; slots[slot] !== 0; slot = (slot + 1) & SLOT_MASK) {
        if (isSame(slots[slot]! - 1, from, start, end)) return slots[slot]! - 1
      }
      const count = starts.length
      if (count > MAX_COUNT || page.index + end - start > MAX_BYTES) return -1
      writePlainText(page, from, start, end)
      slots[slot] = count
      return starts.push(page.index) - 2
    },
    entry: index => page.getBytes().subarray(starts[index], starts[index + 1]),
    bytes: () => page.getBytes(),
    count: () => starts.length - 1,
    clear() {
      page.index = 0
      starts.length = 1
      slots.fill(0)
    },
  }
}

/** FNV-1a: no protection against deliberate collisions is needed. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let offset = start; offset < end; offset += 1) {
    hash = Math.imul(hash ^ bytes[offset]!, 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

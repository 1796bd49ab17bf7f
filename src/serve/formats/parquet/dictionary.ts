/** The different texts of a column, in the bytes of a Parquet dictionary page. Knows nothing of rows. */
import { ByteWriter } from 'hyparquet-writer'
import type { Bytes } from '../../../model/terms.ts'
import { writePlainText } from './plain-text.ts'

/** Before each text: how many bytes it has. */
const LENGTH_BYTES: Bytes = 4
/** Beyond these it saves little and costs memory. */
const MAX_BYTES: Bytes = 64 * 1024
const MAX_COUNT = 4096
const SLOT_MASK = 2 * MAX_COUNT - 1

export interface TextDictionary {
  /** The number of the text, which is added if it is new, or no UTF-8; -1 if the dictionary is full. */
  indexOf(from: Buffer, start: number, end: number): number
  /** PLAIN: with its length. */
  entry(index: number): Uint8Array
  /** All entries. */
  bytes(): Uint8Array
  count(): number
  clear(): void
}

// why: with a Map by strings instead, encoding a register of operations took 1.2 times as long
export function createTextDictionary(): TextDictionary {
  const page = new ByteWriter()
  /** Where each text begins in the page, and where the next would. */
  const starts = [0]
  /** Number and one, by hash; 0 is an empty one. */
  const slots = new Int32Array(SLOT_MASK + 1)

  function isSame(index: number, bytes: Buffer, start: number, end: number): boolean {
    let place = starts[index]! + LENGTH_BYTES
    if (starts[index + 1]! - place !== end - start) return false
    for (; start < end; start += 1, place += 1) {
      if (bytes[start] !== page.view.getUint8(place)) return false
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

/** FNV-1a: the tenants' texts are not out to collide. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let place = start; place < end; place += 1) {
    hash = Math.imul(hash ^ bytes[place]!, 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

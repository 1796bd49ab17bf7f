/** Different texts by their number, in the bytes of a Parquet dictionary page. Knows nothing of rows. */
import { isUtf8 } from 'node:buffer'
import { viewOf, type Viewed } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { withCapacity } from './capacity.ts'

/** Before each text: how many bytes it has. */
export const LENGTH_BYTES: Bytes = 4

/** Beyond these it saves little and costs memory. */
const MAX_BYTES: Bytes = 64 * 1024
const MAX_COUNT = 16_384

const FIRST_BYTES: Bytes = 1024
const FIRST_SLOTS = 128

export interface Dictionary {
  /** The number of the text, which is added if it is new; -1 if the dictionary is full. */
  indexOf(from: Viewed, start: number, end: number): number
  /** Of the text that has this number, with its length. */
  entry(index: number): Uint8Array
  /** All entries. */
  bytes(): Uint8Array
  count(): number
  clear(): void
}

export function createDictionary(): Dictionary {
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let view = viewOf(bytes)
  let length = 0
  let count = 0
  /** Number and one, by hash; 0 is an empty one. */
  let slots = new Int32Array(FIRST_SLOTS)
  /** Where each text begins and ends, without its length. */
  let starts = new Int32Array(FIRST_SLOTS / 2)
  let ends = new Int32Array(FIRST_SLOTS / 2)
  let hashes = new Int32Array(FIRST_SLOTS / 2)

  function isSame(index: number, from: Viewed, start: number, end: number): boolean {
    let place = starts[index]!
    if (ends[index]! - place !== end - start) return false
    for (; start + 4 <= end; start += 4, place += 4) {
      if (from.view.getInt32(start) !== view.getInt32(place)) return false
    }
    for (; start < end; start += 1, place += 1) {
      if (from.bytes[start] !== bytes[place]) return false
    }
    return true
  }

  function add(from: Viewed, start: number, end: number, hash: number, slot: number): number {
    const needed = length + LENGTH_BYTES + end - start
    if (count === MAX_COUNT || needed > MAX_BYTES) return -1
    bytes = withCapacity(bytes, needed)
    if (view.byteLength !== bytes.length) view = viewOf(bytes)
    view.setUint32(length, end - start, true)
    starts[count] = length + LENGTH_BYTES
    from.bytes.copy(bytes, length + LENGTH_BYTES, start, end)
    ends[count] = needed
    hashes[count] = hash
    length = needed
    count += 1
    slots[slot] = count
    if (count === starts.length) grow()
    return count - 1
  }

  function grow(): void {
    starts = withCapacity(starts, count * 2)
    ends = withCapacity(ends, count * 2)
    hashes = withCapacity(hashes, count * 2)
    slots = new Int32Array(slots.length * 2)
    const mask = slots.length - 1
    for (let index = 0; index < count; index += 1) {
      let slot = hashes[index]! & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = index + 1
    }
  }

  function indexOf(from: Viewed, start: number, end: number): number {
    const hash = hashOf(from, start, end)
    const mask = slots.length - 1
    let slot = hash & mask
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const index = slots[slot]! - 1
      if (hashes[index] === hash && isSame(index, from, start, end)) return index
    }
    const text = from.bytes.subarray(start, end)
    if (isUtf8(text)) return add(from, start, end, hash, slot)
    const valid = Buffer.from(text.toString())
    return indexOf({ bytes: valid, view: viewOf(valid) }, 0, valid.length)
  }

  return {
    indexOf,
    entry: index => bytes.subarray(starts[index]! - LENGTH_BYTES, ends[index]),
    bytes: () => bytes.subarray(0, length),
    count: () => count,
    clear() {
      length = 0
      count = 0
      slots.fill(0)
    },
  }
}

/** @see https://en.wikipedia.org/wiki/MurmurHash, of which this is a part: the tenants' texts are not out to collide */
function hashOf({ bytes, view }: Viewed, start: number, end: number): number {
  let hash = end - start
  let place = start
  for (; place + 4 <= end; place += 4) hash = mixed(hash, view.getInt32(place, true))
  let rest = 0
  for (; place < end; place += 1) rest = (rest << 8) | bytes[place]!
  hash = mixed(hash, rest)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

function mixed(hash: number, word: number): number {
  const scattered = Math.imul(word, 0xcc9e2d51)
  const turned = hash ^ Math.imul((scattered << 15) | (scattered >>> 17), 0x1b873593)
  return Math.imul((turned << 13) | (turned >>> 19), 5) + 0xe6546b64
}

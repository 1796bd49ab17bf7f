/** Numbers of distinct texts, in bytes. The texts are limited, so that memory does not grow with the rows. */
import { viewOf, type ByteView } from '../../model/row-bytes.ts'
import type { Bytes } from '../../model/terms.ts'

interface TextLimits {
  /** A power of two. */
  readonly maxCount: number
  /** Of all texts. */
  readonly maxBytes: Bytes
  readonly maxTextBytes: Bytes
}

/** Size of the store at first. */
const FIRST_BYTES: Bytes = 1024

export type TextIndex = ReturnType<typeof createTextIndex>

/** why: a Map needs strings: decoding, hashing and finding one takes five times as long */
export function createTextIndex({ maxCount, maxBytes, maxTextBytes }: TextLimits) {
  let store = Buffer.allocUnsafe(FIRST_BYTES)
  let view = viewOf(store)
  /** Of the end of each text in the store. */
  const ends: number[] = []
  /** A hash table of numbers plus one. */
  const slots = new Int32Array(2 * maxCount)
  const mask = slots.length - 1

  function add(slot: number, { bytes }: ByteView, start: number, end: number): number {
    const at = ends.at(-1) ?? 0
    const room = Math.min(maxTextBytes, maxBytes - at)
    if (ends.length === maxCount || end - start > room) return -1
    if (at + end - start > store.length) {
      store = Buffer.concat([store], 2 * store.length + end - start)
      view = viewOf(store)
    }
    bytes.copy(store, at, start, end)
    slots[slot] = ends.push(at + end - start)
    return ends.length - 1
  }

  return {
    /** @returns -1 if the text is not found and cannot be added */
    numberOf(from: ByteView, start: number, end: number): number {
      let slot = hashOf(from, start, end) & mask
      for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const number = slots[slot]! - 1
        const at = number === 0 ? 0 : ends[number - 1]!
        if (ends[number]! - at === end - start && isEqual(from, start, end, view, at)) {
          return number
        }
      }
      return add(slot, from, start, end)
    },
    get count() {
      return ends.length
    },
    textOf: (number: number): Buffer => store.subarray(ends[number - 1] ?? 0, ends[number]),
    clear(): void {
      ends.length = 0
      slots.fill(0)
    },
  }
}

const FACTOR = 0x9e3779b1

function hashOf({ bytes, view }: ByteView, start: number, end: number): number {
  let hash = end - start
  let index = start
  for (; index + 4 <= end; index += 4) {
    hash = Math.imul(hash ^ view.getInt32(index), FACTOR)
    hash ^= hash >>> 15
  }
  for (; index < end; index += 1) hash = Math.imul(hash ^ bytes[index]!, FACTOR)
  return hash ^ (hash >>> 15)
}

function isEqual(from: ByteView, start: number, end: number, to: DataView, at: number): boolean {
  const offset = at - start
  let index = start
  for (; index + 4 <= end; index += 4) {
    if (from.view.getInt32(index) !== to.getInt32(index + offset)) return false
  }
  for (; index < end; index += 1) {
    if (from.bytes[index] !== to.getUint8(index + offset)) return false
  }
  return true
}

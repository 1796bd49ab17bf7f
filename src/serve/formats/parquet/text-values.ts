/** The texts of a column: dictionary-encoded while that saves bytes, else PLAIN. */
import { isUtf8 } from 'node:buffer'
import { ByteWriter } from 'hyparquet-writer'
import type { Bytes } from '../../../model/terms.ts'
import { createTextIndex } from '../text-index.ts'
import type { ColumnValues } from './column-chunk.ts'
import { bitPackedRun } from './page.ts'

/** Larger dictionaries save little and use more memory. */
const DICTIONARY_LIMITS = { maxCount: 4096, maxBytes: 64 * 1024, maxTextBytes: 64 * 1024 }
/** Larger buffers are released after their page. */
const MAX_IDLE_BYTES: Bytes = 1024 * 1024

export function createTextValues(): ColumnValues {
  const dictionary = createTextIndex(DICTIONARY_LIMITS)
  /** Dictionary indexes of the open page. */
  let indexes: number[] = []
  let texts = new ByteWriter()
  let usesDictionary = true
  let indexedCount = 0

  /** Continues in PLAIN, for the open page and the rest of the row group. */
  function switchToPlain(): void {
    usesDictionary = false
    for (const index of indexes) writePlain(texts, dictionary.textOf(index))
    indexes = []
  }

  return {
    add(from, start, end) {
      const index = usesDictionary ? dictionary.numberOf(from, start, end) : -1
      if (index >= 0) indexes.push(index)
      else {
        if (usesDictionary) switchToPlain()
        writePlain(texts, from.bytes.subarray(start, end))
      }
      return texts.index
    },
    takePage() {
      if (usesDictionary && dictionary.count * 2 > indexedCount + indexes.length) switchToPlain()
      // why: a page of nulls needs no dictionary, but the next pages may
      if (indexes.length > 0) {
        const values = encodeIndexes(indexes, dictionary.count)
        indexedCount += indexes.length
        indexes = []
        return { values, encoding: 'RLE_DICTIONARY' }
      }
      const values = texts.getBytes()
      if (values.length > MAX_IDLE_BYTES) texts = new ByteWriter()
      texts.index = 0
      return { values, encoding: 'PLAIN' }
    },
    takeGroup() {
      const entries = new ByteWriter()
      const count = indexedCount > 0 ? dictionary.count : 0
      for (let index = 0; index < count; index += 1) writePlain(entries, dictionary.textOf(index))
      const group = count > 0 ? { dictionary: { values: entries.getBytes(), count } } : {}
      dictionary.clear()
      usesDictionary = true
      indexedCount = 0
      return group
    },
  }
}

/** Writes a text with its length. Invalid UTF-8 of an SQL_ASCII database is replaced. */
function writePlain(to: ByteWriter, text: Buffer): void {
  const valid = isUtf8(text) ? text : Buffer.from(text.toString())
  to.appendUint32(valid.length)
  to.appendBytes(valid)
}

function encodeIndexes(indexes: readonly number[], count: number): Uint8Array {
  const bits = Math.max(1, 32 - Math.clz32(count - 1))
  const packed = new Uint8Array(Math.ceil(indexes.length / 8) * bits)
  let at = 0
  let pending = 0
  let pendingBits = 0
  for (const index of indexes) {
    pending |= index << pendingBits
    pendingBits += bits
    for (; pendingBits >= 8; pendingBits -= 8) {
      packed[at++] = pending
      pending >>>= 8
    }
  }
  if (pendingBits > 0) packed[at] = pending
  return Buffer.concat([Uint8Array.of(bits), bitPackedRun(packed, bits)])
}

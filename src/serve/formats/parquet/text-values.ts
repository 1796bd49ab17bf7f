/** Texts of a column: by dictionary as long as that saves bytes, else as they are. */
import { ByteWriter } from 'hyparquet-writer'
import type { Bytes } from '../../../model/terms.ts'
import type { ColumnValues } from './column-chunk.ts'
import { createTextDictionary } from './dictionary.ts'
import { packedRun } from './page.ts'
import { writePlainText } from './plain-text.ts'

/** One text of megabytes should not be held until the body ends. */
const MAX_IDLE_BYTES: Bytes = 1024 * 1024

export function createTextValues(): ColumnValues {
  const dictionary = createTextDictionary()
  /** Of the open page. */
  let rows: number[] = []
  let texts = new ByteWriter()
  let isByDictionary = true
  let indexedCount = 0

  /** The open page and the rest of the row group. */
  function leaveDictionary(): void {
    isByDictionary = false
    for (const row of rows) texts.appendBytes(dictionary.entry(row))
    rows = []
  }

  return {
    add({ bytes }, start, end) {
      const index = isByDictionary ? dictionary.indexOf(bytes, start, end) : -1
      if (index >= 0) rows.push(index)
      else {
        if (isByDictionary) leaveDictionary()
        writePlainText(texts, bytes, start, end)
      }
      return texts.index
    },
    takePage() {
      if (isByDictionary && dictionary.count() * 2 > indexedCount + rows.length) leaveDictionary()
      // why: a page of nulls has no use for a dictionary, and leaves the choice to the next
      if (rows.length > 0) {
        const values = encodeIndexes(rows, dictionary.count())
        indexedCount += rows.length
        rows = []
        return { values, encoding: 'RLE_DICTIONARY' }
      }
      const values = texts.getBytes()
      if (values.length > MAX_IDLE_BYTES) texts = new ByteWriter()
      texts.index = 0
      return { values, encoding: 'PLAIN' }
    },
    takeGroup() {
      const page = { values: dictionary.bytes(), count: dictionary.count() }
      const isUsed = indexedCount > 0
      dictionary.clear()
      isByDictionary = true
      indexedCount = 0
      return isUsed ? { dictionary: page } : {}
    },
  }
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
  return Buffer.concat([Uint8Array.of(bits), packedRun(packed, bits)])
}

/** The texts of a column: dictionary-encoded while that saves bytes, else PLAIN. */
import { isUtf8 } from 'node:buffer'
import { ByteWriter } from 'hyparquet-writer'
import type { Bytes } from '../../../model/terms.ts'
import type { ColumnValues } from './column-chunk.ts'
import { bitPackedRun } from './page.ts'

/** Larger dictionaries save little and use more memory. */
const MAX_DICTIONARY_BYTES: Bytes = 64 * 1024
const MAX_DICTIONARY_COUNT = 4096
/** Larger buffers are released after their page. */
const MAX_IDLE_BYTES: Bytes = 1024 * 1024

export function createTextValues(): ColumnValues {
  /** Index of each text, whose bytes are the characters of the key. */
  const dictionary = new Map<string, number>()
  const entries = new ByteWriter()
  /** Offset of each entry, and the end of the last. */
  const starts = [0]
  /** Dictionary indexes of the open page. */
  let indexes: number[] = []
  let texts = new ByteWriter()
  let usesDictionary = true
  let indexedCount = 0

  /** @returns undefined if the dictionary is full */
  function indexOf(text: Buffer): number | undefined {
    if (text.length > MAX_DICTIONARY_BYTES) return undefined
    const key = text.toString('latin1')
    const known = dictionary.get(key)
    const isFull =
      dictionary.size === MAX_DICTIONARY_COUNT || entries.index + text.length > MAX_DICTIONARY_BYTES
    if (known !== undefined || isFull) return known
    writePlain(entries, text)
    starts.push(entries.index)
    dictionary.set(key, starts.length - 2)
    return starts.length - 2
  }

  /** Continues in PLAIN, for the open page and the rest of the row group. */
  function switchToPlain(): void {
    usesDictionary = false
    for (const index of indexes) {
      texts.appendBytes(entries.getBytes().subarray(starts[index], starts[index + 1]))
    }
    indexes = []
  }

  return {
    add({ bytes }, start, end) {
      const text = bytes.subarray(start, end)
      const index = usesDictionary ? indexOf(text) : undefined
      if (index !== undefined) indexes.push(index)
      else {
        if (usesDictionary) switchToPlain()
        writePlain(texts, text)
      }
      return texts.index
    },
    takePage() {
      if (usesDictionary && dictionary.size * 2 > indexedCount + indexes.length) switchToPlain()
      // why: a page of nulls needs no dictionary, but the next pages may
      if (indexes.length > 0) {
        const values = encodeIndexes(indexes, dictionary.size)
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
      const page = { values: entries.getBytes(), count: dictionary.size }
      const isUsed = indexedCount > 0
      dictionary.clear()
      entries.index = 0
      starts.length = 1
      usesDictionary = true
      indexedCount = 0
      return isUsed ? { dictionary: page } : {}
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

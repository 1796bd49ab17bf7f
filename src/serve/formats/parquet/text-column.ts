/** A column of texts, row group after row group: by dictionary as long as that saves bytes, else as they are. */
import { isUtf8 } from 'node:buffer'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import type { Bytes } from '../../../model/terms.ts'
import { withCapacity } from './capacity.ts'
import type { ColumnWriter } from './column-writer.ts'
import { createDictionary, LENGTH_BYTES } from './dictionary.ts'
import type { PageStore } from './page-store.ts'
import { createPages, PAGE_BYTES } from './pages.ts'
import { writeRunLengths } from './run-lengths.ts'

/** Texts of so many bytes decide whether a dictionary pays. */
const TRIAL_BYTES: Bytes = 4 * PAGE_BYTES
/** A page of its own has its header. */
const DICTIONARY_OWN_BYTES: Bytes = 40
const FIRST_BYTES: Bytes = 1024

export function createTextColumn(
  element: SchemaElement,
  store: PageStore,
  turn: number,
): ColumnWriter {
  const pages = createPages(element, store, turn)
  const dictionary = createDictionary()
  let indexes = new Int32Array(FIRST_BYTES / 4)
  let texts = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** A row group's first page is a trial: its texts are in the dictionary, whatever is written. */
  let mode: 'trial' | 'dictionary' | 'plain' = 'trial'
  let isDictionaryUsed = false
  let indexCount = 0
  /** Of the open page; with a dictionary, what its texts would have without. */
  let textBytes = 0

  function addIndex(index: number, byteCount: Bytes): void {
    indexes = withCapacity(indexes, indexCount + 1)
    indexes[indexCount++] = index
    textBytes += LENGTH_BYTES + byteCount
  }

  function addText(from: Buffer, start: number, end: number): void {
    const text = from.subarray(start, end)
    const valid = isUtf8(text) ? text : Buffer.from(text.toString())
    texts = withCapacity(texts, textBytes + LENGTH_BYTES + valid.length)
    texts.writeUInt32LE(valid.length, textBytes)
    valid.copy(texts, textBytes + LENGTH_BYTES)
    textBytes += LENGTH_BYTES + valid.length
  }

  function closeFullPage(): void {
    if (pages.isFull() || textBytes >= maxBytes()) closePage()
  }

  function maxBytes(): Bytes {
    if (mode === 'dictionary') return Infinity
    return mode === 'trial' ? TRIAL_BYTES : PAGE_BYTES
  }

  function closePage(): void {
    if (mode === 'trial') endTrial()
    if (mode === 'plain') pages.close(texts.subarray(0, textBytes), 'PLAIN')
    else {
      isDictionaryUsed = true
      pages.close(encodeIndexes(), 'RLE_DICTIONARY')
    }
    startPage()
  }

  function startPage(): void {
    indexCount = 0
    textBytes = 0
    // why: one text of megabytes should not be held until the body ends
    if (texts.length > TRIAL_BYTES) texts = Buffer.allocUnsafeSlow(PAGE_BYTES)
  }

  function endTrial(): void {
    const coded = dictionary.bytes().length + (indexCount * bitsOfIndex()) / 8
    mode = (coded + DICTIONARY_OWN_BYTES) * 4 <= textBytes * 3 ? 'dictionary' : 'plain'
    if (mode === 'plain') addTrialAsTexts()
  }

  function addTrialAsTexts(): void {
    const trialIndexes = indexes.slice(0, indexCount)
    const levels = pages.reopen()
    startPage()
    let place = 0
    for (const level of levels) {
      pages.addRow(level === 0)
      if (level === 1) {
        const entry = dictionary.entry(trialIndexes[place++]!)
        texts = withCapacity(texts, textBytes + entry.length)
        texts.set(entry, textBytes)
        textBytes += entry.length
      }
      closeFullPage()
    }
    dictionary.clear()
  }

  function bitsOfIndex(): number {
    return Math.max(1, 32 - Math.clz32(dictionary.count() - 1))
  }

  function encodeIndexes(): Uint8Array {
    const encoded = new ByteWriter()
    encoded.appendUint8(bitsOfIndex())
    writeRunLengths(encoded, indexes.subarray(0, indexCount), bitsOfIndex())
    return encoded.getBytes()
  }

  return {
    add(from, start, end) {
      const isNull = start < 0
      if (!isNull) {
        const index = mode === 'plain' ? -1 : dictionary.indexOf(from, start, end)
        if (index >= 0) addIndex(index, end - start)
        else {
          if (mode !== 'plain') closePage()
          mode = 'plain'
          addText(from.bytes, start, end)
        }
      }
      pages.addRow(isNull)
      closeFullPage()
    },
    take() {
      closePage()
      if (isDictionaryUsed) pages.setDictionary(dictionary.bytes(), dictionary.count())
      dictionary.clear()
      mode = 'trial'
      isDictionaryUsed = false
      return pages.take({})
    },
  }
}

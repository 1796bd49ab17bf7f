/** A column of texts, row group after row group: by dictionary as long as that saves bytes, else as they are. */
import { isUtf8 } from 'node:buffer'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import type { Bytes } from '../../../model/terms.ts'
import type { ColumnWriter } from './column.ts'
import { createDictionary, LENGTH_BYTES } from './dictionary.ts'
import { createPages, firstPageRows, PAGE_BYTES, PAGE_ROWS, withRoom } from './pages.ts'

/** Texts of so many bytes say whether a dictionary pays. */
const TRIAL_BYTES: Bytes = 4 * PAGE_BYTES
/** A page of its own has its header. */
const DICTIONARY_OWN_BYTES: Bytes = 40
const FIRST_BYTES: Bytes = 1024

type Mode = 'trial' | 'dictionary' | 'plain'

/** @param turn of the column among the others, see `firstPageRows` */
export function createTextColumn(
  element: SchemaElement,
  onPage: (byteCount: Bytes) => void,
  turn: number,
): ColumnWriter {
  const pages = createPages(element, onPage)
  const dictionary = createDictionary()
  const levels = new Uint8Array(PAGE_ROWS)
  let indexes = new Int32Array(FIRST_BYTES / 4)
  let texts: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let mode: Mode = 'trial'
  let isCoded = false
  let rows = 0
  let nullCount = 0
  let fullRows = firstPageRows(turn)
  let indexCount = 0
  /** Of all texts of a page; of the trial's, what they would have as they are. */
  let textBytes = 0

  function addIndex(index: number, byteCount: Bytes): void {
    if (indexCount === indexes.length) {
      const larger = new Int32Array(indexes.length * 2)
      larger.set(indexes)
      indexes = larger
    }
    indexes[indexCount++] = index
    textBytes += LENGTH_BYTES + byteCount
    levels[rows++] = 1
  }

  function addText(from: Buffer, start: number, end: number): void {
    const text = from.subarray(start, end)
    if (!isUtf8(text)) {
      const valid = Buffer.from(text.toString())
      addText(valid, 0, valid.length)
      return
    }
    texts = withRoom(texts, textBytes + LENGTH_BYTES + text.length)
    texts.writeUInt32LE(text.length, textBytes)
    from.copy(texts, textBytes + LENGTH_BYTES, start, end)
    textBytes += LENGTH_BYTES + text.length
    levels[rows++] = 1
  }

  function isFull(): boolean {
    if (rows === fullRows) return true
    return mode !== 'dictionary' && textBytes >= (mode === 'plain' ? PAGE_BYTES : TRIAL_BYTES)
  }

  function closePage(): void {
    if (mode === 'trial') endTrial()
    if (rows === 0) return
    const present = levels.subarray(0, rows)
    if (mode === 'dictionary') {
      isCoded = true
      pages.add(present, encodeIndexes(), 'RLE_DICTIONARY')
    } else pages.add(present, texts.subarray(0, textBytes), 'PLAIN')
    startPage()
  }

  function startPage(): void {
    rows = 0
    fullRows = PAGE_ROWS
    indexCount = 0
    textBytes = 0
    // why: one text of megabytes should not be held for as long as the answer takes
    if (texts.length > TRIAL_BYTES) texts = Buffer.allocUnsafeSlow(PAGE_BYTES)
  }

  function endTrial(): void {
    const coded = dictionary.bytes().length + (indexCount * bitsOfIndex()) / 8
    mode = (coded + DICTIONARY_OWN_BYTES) * 4 <= textBytes * 3 ? 'dictionary' : 'plain'
    if (mode === 'plain') addAgain(levels.slice(0, rows))
  }

  /** The trial's rows, as they are. */
  function addAgain(present: Uint8Array): void {
    const numbers = indexes.slice(0, indexCount)
    startPage()
    let place = 0
    for (const isPresent of present) {
      if (isPresent === 0) levels[rows++] = 0
      else {
        const entry = dictionary.entry(numbers[place++]!)
        texts = withRoom(texts, textBytes + entry.length)
        texts.set(entry, textBytes)
        textBytes += entry.length
        levels[rows++] = 1
      }
      if (isFull()) closePage()
    }
    dictionary.clear()
  }

  function bitsOfIndex(): number {
    return Math.max(1, 32 - Math.clz32(dictionary.count() - 1))
  }

  function encodeIndexes(): Uint8Array {
    const encoded = new ByteWriter()
    encoded.appendUint8(bitsOfIndex())
    writeRleBitPackedHybrid(encoded, indexes.subarray(0, indexCount), bitsOfIndex())
    return encoded.getBytes()
  }

  return {
    add(from, start, end) {
      if (start < 0) {
        nullCount += 1
        levels[rows++] = 0
      } else {
        const index = mode === 'plain' ? -1 : dictionary.indexOf(from, start, end)
        if (index >= 0) addIndex(index, end - start)
        else {
          if (mode !== 'plain') closePage()
          mode = 'plain'
          addText(from.bytes, start, end)
        }
      }
      if (isFull()) closePage()
    },
    take() {
      closePage()
      if (isCoded) pages.setDictionary(dictionary.bytes(), dictionary.count())
      const chunk = pages.take({ null_count: BigInt(nullCount) })
      dictionary.clear()
      mode = 'trial'
      isCoded = false
      nullCount = 0
      fullRows = firstPageRows(turn)
      return chunk
    },
  }
}

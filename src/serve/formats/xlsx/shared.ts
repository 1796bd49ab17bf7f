/**
 * Texts that cells refer to by number, `xl/sharedStrings.xml`. Their number is limited, so that memory does not grow
 * with the rows; other texts are written in the cells.
 */
import type { ByteView } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { createOutput, reserve, takeChunk, writeText } from '../output.ts'
import { MAIN, XML } from './parts.ts'

export interface SharedTexts {
  /** @param start of the text as XML @returns -1 if the text is not shared */
  numberOf(from: ByteView, start: number, end: number, hasOuterSpace: boolean): number
  /** Returns the whole part. Call it last. */
  take(): Buffer
}

/** Compressed at once at the end, which takes 10 ms. */
const MAX_BYTES: Bytes = 512 * 1024
const MAX_TEXTS = 8192
/** Longer texts rarely repeat. */
const MAX_TEXT_BYTES: Bytes = 32 * 1024

const CLOSING = '</t></si>'

export function createSharedTexts(): SharedTexts {
  const numbers = new Map<string, number>()
  const output = createOutput(true)
  writeText(output, `${XML}<sst xmlns="${MAIN}">`)

  function add(
    text: string,
    { bytes }: ByteView,
    start: number,
    end: number,
    outer: boolean,
  ): number {
    if (numbers.size === MAX_TEXTS || output.length > MAX_BYTES) return -1
    const number = numbers.size
    numbers.set(text, number)
    writeText(output, outer ? '<si><t xml:space="preserve">' : '<si><t>')
    reserve(output, end - start)
    output.length += bytes.copy(output.bytes, output.length, start, end)
    writeText(output, CLOSING)
    return number
  }

  return {
    numberOf(from, start, end, outer) {
      if (end - start > MAX_TEXT_BYTES) return -1
      // why: latin1 is the fastest decoding, and equal bytes give equal strings
      const text = from.bytes.toString('latin1', start, end)
      return numbers.get(text) ?? add(text, from, start, end, outer)
    },
    take() {
      writeText(output, '</sst>')
      return takeChunk(output)
    },
  }
}

/**
 * Texts that cells name by number, `xl/sharedStrings.xml`. There is room for so many; cells carry the others
 * themselves, so that memory does not grow with the rows.
 */
import type { Viewed } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { createOutput, makeRoom, takeChunk, writeText } from '../output.ts'
import { MAIN, XML } from './parts.ts'

export interface SharedTexts {
  /** @param start of the text as XML; -1 where it has no number */
  numberOf(from: Viewed, start: number, end: number, hasOuterSpace: boolean): number
  /** The whole part; nothing is asked after it. */
  take(): Buffer
}

/** In 10 ms they are deflated, at the end and all at once. */
const MAX_BYTES: Bytes = 512 * 1024
const MAX_TEXTS = 8192
/** Who shares longer ones shares little. */
const MAX_TEXT_BYTES: Bytes = 32 * 1024

const CLOSING = '</t></si>'

export function createSharedTexts(): SharedTexts {
  const numbers = new Map<string, number>()
  const output = createOutput(true)
  writeText(output, `${XML}<sst xmlns="${MAIN}">`)

  function add(
    text: string,
    { bytes }: Viewed,
    start: number,
    end: number,
    outer: boolean,
  ): number {
    if (numbers.size === MAX_TEXTS || output.length > MAX_BYTES) return -1
    const number = numbers.size
    numbers.set(text, number)
    writeText(output, outer ? '<si><t xml:space="preserve">' : '<si><t>')
    makeRoom(output, end - start)
    output.length += bytes.copy(output.bytes, output.length, start, end)
    writeText(output, CLOSING)
    return number
  }

  return {
    numberOf(from, start, end, outer) {
      if (end - start > MAX_TEXT_BYTES) return -1
      // why: a character for each byte is the quickest string that there is, and says the same
      const text = from.bytes.toString('latin1', start, end)
      return numbers.get(text) ?? add(text, from, start, end, outer)
    },
    take() {
      writeText(output, '</sst>')
      return takeChunk(output)
    },
  }
}

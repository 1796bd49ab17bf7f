/**
 * Texts that cells refer to by number, `xl/sharedStrings.xml`. Their number is limited, so that memory does not grow
 * with the rows; other texts are written in the cells.
 */
import { writeByteText, type ByteText } from '../byte-text.ts'
import { createOutput, takeChunk } from '../output.ts'
import { MAIN, XML } from './parts.ts'
import { textElement } from './text.ts'

export interface SharedTexts {
  /** Undefined if the text is not shared. */
  numberOf(text: ByteText): number | undefined
  /** Returns the whole part. */
  take(): Buffer
}

const MAX_TEXTS = 8192
/** Of all texts. */
const MAX_LENGTH = 512 * 1024
/** Longer texts rarely repeat. */
const MAX_TEXT_LENGTH = 8 * 1024

export function createSharedTexts(): SharedTexts {
  const numbers = new Map<ByteText, number>()
  const output = createOutput(true)
  writeByteText(output, `${XML}<sst xmlns="${MAIN}">`)
  return {
    numberOf(text) {
      const known = numbers.get(text)
      if (known !== undefined || numbers.size === MAX_TEXTS) return known
      if (text.length > Math.min(MAX_TEXT_LENGTH, MAX_LENGTH - output.length)) return undefined
      // why: the text is a part of its row, which would stay in memory
      const copy = Buffer.from(text, 'latin1').toString('latin1')
      numbers.set(copy, numbers.size)
      writeByteText(output, `<si>${textElement(copy)}</si>`)
      return numbers.size - 1
    },
    take() {
      writeByteText(output, '</sst>')
      return takeChunk(output)
    },
  }
}

/**
 * Text as XML that Excel reads back as it was: what XML 1.0 cannot say is `_xHHHH_`.
 * @see ECMA-376 part 1, 22.9.2.19 ST_Xstring
 */
import type { Viewed } from '../../../model/row-bytes.ts'
import { isDigit } from '../digits.ts'

/** More bytes than one byte of text may become: `_x001F_`. */
export const MOST_ESCAPED_BYTES = 7

const TAB = 0x09
const LINE_FEED = 0x0a
const BLANK = 0x20
const AMPERSAND = 0x26
const LESS = 0x3c
const GREATER = 0x3e
const UNDERSCORE = 0x5f
const LETTER_X = 0x78
/** U+FFFE and U+FFFF are `ef bf be` and `ef bf bf`. */
const NONCHARACTER = [0xef, 0xbf, 0xbe] as const

const ESCAPED_AMPERSAND = Buffer.from('&amp;')
const ESCAPED_LESS = Buffer.from('&lt;')
const ESCAPED_GREATER = Buffer.from('&gt;')
const ESCAPED_UNDERSCORE = Buffer.from('_x005F_')
const ESCAPED_NONCHARACTERS = [Buffer.from('_xFFFE_'), Buffer.from('_xFFFF_')] as const
const ESCAPED_CONTROLS = Array.from({ length: BLANK }, (_, code) =>
  Buffer.from(`_x${code.toString(16).toUpperCase().padStart(4, '0')}_`),
)

/** Each of four bytes. */
const HIGH_BITS = 0x80808080
const ONES = 0x01010101
const BLANKS = 0x20202020
const AMPERSANDS = 0x26262626
const LESSES = 0x3c3c3c3c
/** Without it `>` is `<`. */
const ONLY_IN_GREATER = 0x02020202
const UNDERSCORES = 0x5f5f5f5f
const HIGHEST_OF_THREE = 0xefefefef | 0

/** Of few texts, in attributes without quotes, and between tags. */
export function xmlText(text: string): string {
  const from = Buffer.from(text)
  const to = Buffer.alloc(from.length * MOST_ESCAPED_BYTES)
  const view = new DataView(to.buffer, to.byteOffset, to.length)
  const fromView = new DataView(from.buffer, from.byteOffset, from.length)
  const end = writeXmlText({ bytes: from, view: fromView }, 0, from.length, { bytes: to, view }, 0)
  return to.toString('utf8', 0, end)
}

/** Answers where it ends; there has to be room for it. */
export function writeXmlText(
  { bytes: from, view: fromView }: Viewed,
  start: number,
  end: number,
  { bytes: to, view: toView }: Viewed,
  at: number,
): number {
  let place = start
  while (place < end) {
    while (place + 4 <= end) {
      const four = fromView.getInt32(place, true)
      if (mayBeEscaped(four)) break
      toView.setInt32(at, four, true)
      place += 4
      at += 4
    }
    for (const stop = Math.min(place + 4, end); place < stop; place += 1) {
      const escaped = escapedAt(from, place, end)
      if (escaped === undefined) to[at++] = from[place]!
      else {
        for (const byte of escaped) to[at++] = byte
        // why: of a noncharacter's three bytes all are said
        if (from[place] === NONCHARACTER[0]) place += 2
      }
    }
  }
  return at
}

/** Whether one of four bytes is looked at by itself; as in JSON's text, with a bit for each. */
function mayBeEscaped(four: number): boolean {
  const ampersands = four ^ AMPERSANDS
  const lesses = (four & ~ONLY_IN_GREATER) ^ LESSES
  const underscores = four ^ UNDERSCORES
  const highest = four ^ HIGHEST_OF_THREE
  const found =
    ((four - BLANKS) & ~four) |
    ((ampersands - ONES) & ~ampersands) |
    ((lesses - ONES) & ~lesses) |
    ((underscores - ONES) & ~underscores) |
    ((highest - ONES) & ~highest)
  return (found & HIGH_BITS) !== 0
}

/** Undefined where the byte stands for itself. */
function escapedAt(from: Buffer, place: number, end: number): Buffer | undefined {
  const byte = from[place]!
  switch (byte) {
    case TAB:
    case LINE_FEED:
      return undefined
    case AMPERSAND:
      return ESCAPED_AMPERSAND
    case LESS:
      return ESCAPED_LESS
    case GREATER:
      return ESCAPED_GREATER
    case UNDERSCORE:
      return looksEscaped(from, place, end) ? ESCAPED_UNDERSCORE : undefined
    case NONCHARACTER[0]:
      if (place + 3 > end || from[place + 1] !== NONCHARACTER[1]) return undefined
      return ESCAPED_NONCHARACTERS[from[place + 2]! - NONCHARACTER[2]]
    default:
      return ESCAPED_CONTROLS[byte]
  }
}

/** `_x[0-9A-Fa-f]{4}`: the next underscore may be that of an escape. */
function looksEscaped(from: Buffer, place: number, end: number): boolean {
  return (
    place + 6 <= end &&
    from[place + 1] === LETTER_X &&
    isHex(from[place + 2]!) &&
    isHex(from[place + 3]!) &&
    isHex(from[place + 4]!) &&
    isHex(from[place + 5]!)
  )
}

function isHex(byte: number): boolean {
  const lower = byte | BLANK
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66)
}

/** At least the length that all of it has when it is text. */
export function escapedLength(from: Buffer, start: number, end: number): number {
  let length = end - start
  for (let place = start; place < end; place += 1) {
    const byte = from[place]!
    if (byte < BLANK || byte === UNDERSCORE || byte === NONCHARACTER[0]) {
      length += MOST_ESCAPED_BYTES - 1
    } else if (byte === AMPERSAND || byte === LESS || byte === GREATER) {
      length += ESCAPED_AMPERSAND.length - 1
    }
  }
  return length
}

/** Whether a reader may trim it: then `xml:space` has to be said. */
export function hasOuterSpace(from: Buffer, start: number, end: number): boolean {
  return start < end && (from[start]! <= BLANK || from[end - 1]! <= BLANK)
}

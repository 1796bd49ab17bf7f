/** Texts that are hard on a format: what it escapes, line ends, control characters, and bytes that are no UTF-8. */
import * as fc from 'fast-check'

const CONTROLS = ['\r', '\n', '\t', '\u0001', '\u001f', '\u007f']
const hard = fc.constantFrom(
  '"',
  ',',
  ';',
  ...CONTROLS,
  '\\',
  "'",
  ' ',
  '\u00a0',
  'a',
  'я',
  '€',
  '🙂',
)
const large = fc.constantFrom('"'.repeat(40_000), 'я"'.repeat(60_000), '=,\n'.repeat(30_000))

/** As a database may hold it, SQL_ASCII too. */
export const anyText = fc.oneof(
  bytesOf(fc.string({ unit: 'grapheme', maxLength: 40 }), 8),
  bytesOf(fc.string({ unit: hard, maxLength: 20 }), 8),
  bytesOf(fc.uint8Array({ min: 1, maxLength: 20 }), 8),
  bytesOf(large, 1),
)

function bytesOf(
  some: fc.Arbitrary<string | Uint8Array>,
  weight: number,
): fc.WeightedArbitrary<Buffer> {
  return { arbitrary: some.map(text => Buffer.from(text)), weight }
}

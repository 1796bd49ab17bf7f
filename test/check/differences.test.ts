import { expect } from 'chai'
import { difference, describeDifference } from '../../src/author/check/differences.ts'

const TEXT = 25
const INSTANT = 1184

/** Parses a result: rows of a name and an instant, or of three columns with totals; `-` is null. */
function parseResult(text: string) {
  const rows = text
    .split('; ')
    .map(row => row.split(' | ').map(value => (value === '-' ? null : value)))
  const names = rows[0]?.length === 3 ? ['is_total', 'row_count', 'sum'] : ['name', 'at']
  const fields = names.map(name => ({ name, typeId: name === 'at' ? INSTANT : TEXT }))
  return { fields, rows, rowCount: rows.length }
}

const ROWS = `
a | 2026-11-21 10:00:00.123456+00 / a | 2026-11-22 00:00:00.123456+14 / the same
a | 2026-11-21 10:00:00+00 / a | 2026-11-21 13:30:00+03:30 / the same
a | 2026-11-21 10:00:00.123456+00 / a | 2026-11-21 10:00:00.123457+00 / row 1 has at 1795255200000.123457 instead of 1795255200000.123456
a | 1900-01-01 00:00:00+00 / a | 1899-12-31 13:30:40-10:29:20 / the same
a | 0001-01-01 00:00:00+00 / a | 0001-12-31 13:30:40-10:29:20 BC / the same
a | 1900-01-01 00:00:00+00 / a | 1899-12-31 13:30:40-10:29 / row 1 has at -2208988820000 instead of -2208988800000
a | -; b | - / a | -; c | - / row 2 has name c instead of b
a | - / a | -; - | - / row 2 is one more
a | -; - | - / a | - / row 2 is missing
a | -; b | - / b | -; a | - / another order
t | 2 | 3; f | - | 1; f | - | 2 / t | 9 | 3; f | - | 1; f | - | 2 / the total of row_count is 9 instead of 2
t | 2 | 3; f | - | 1; f | - | 2 / t | 2 | 9; f | - | 1; f | - | 2 / the total of sum is 9 instead of 3
t | 2 | 3; f | - | 1; f | - | 2 / t | 2 | 3; f | - | 1; f | - | 9 / row 2 has sum 9 instead of 2`

describe('the difference of two results', () => {
  for (const row of ROWS.trim().split('\n')) {
    const [one = '', other = '', expected] = row.split(' / ')
    it(`of ${one} and ${other} is: ${expected}`, () => {
      const found = difference(parseResult(one), parseResult(other))
      const words = found?.isOrderAlone ? 'another order' : found && describeDifference(found)
      expect(words ?? 'the same').to.equal(expected)
    })
  }
})

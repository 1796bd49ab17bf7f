import { expect } from 'chai'
import { difference, saidOf } from '../../src/author/check/differences.ts'

const TEXT = 25
const INSTANT = 1184

/** An answer as text: rows of a name and an instant, null where it is -, or behind totals of three columns. */
function answer(text: string) {
  const rows = text
    .split('; ')
    .map(row => row.split(' | ').map(value => (value === '-' ? null : value)))
  const names = rows[0]?.length === 3 ? ['is_total', 'row_count', 'sum'] : ['name', 'at']
  return { fields: names.map(name => ({ name, typeId: name === 'at' ? INSTANT : TEXT })), rows }
}

const ROWS = `
a | 2026-11-21 10:00:00.123456+00 / a | 2026-11-22 00:00:00.123456+14 / the same
a | 2026-11-21 10:00:00+00 / a | 2026-11-21 13:30:00+03:30 / the same
a | 2026-11-21 10:00:00.123456+00 / a | 2026-11-21 10:00:00.123457+00 / row 1 has at 1795255200000.123457 instead of 1795255200000.123456
a | -; b | - / a | -; c | - / row 2 has name c instead of b
a | - / a | -; - | - / row 2 is one more
a | -; - | - / a | - / row 2 is missing
a | -; b | - / b | -; a | - / another order
t | 2 | 3; f | - | 1; f | - | 2 / t | 9 | 3; f | - | 1; f | - | 2 / the number of rows is 9 instead of 2
t | 2 | 3; f | - | 1; f | - | 2 / t | 2 | 9; f | - | 1; f | - | 2 / the total of sum is 9 instead of 3
t | 2 | 3; f | - | 1; f | - | 2 / t | 2 | 3; f | - | 1; f | - | 9 / row 2 has sum 9 instead of 2`

describe('the difference of two answers', () => {
  for (const row of ROWS.trim().split('\n')) {
    const [one = '', other = '', said] = row.split(' / ')
    it(`of ${one} and ${other} is: ${said}`, () => {
      const found = difference(answer(one), answer(other))
      const words = found?.isOrderAlone ? 'another order' : found && saidOf(found)
      expect(words ?? 'the same').to.equal(said)
    })
  }
})

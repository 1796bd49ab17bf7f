import { expect } from 'chai'
import { difference, saidOf } from '../../src/check/differences.ts'

const TEXT = 25
const INSTANT = 1184

type Row = Array<string | null>

/** An answer of a name and an instant. */
function answer(...rows: Row[]) {
  const fields = [
    { name: 'name', typeId: TEXT },
    { name: 'at', typeId: INSTANT },
  ]
  return { fields, rows }
}

/** An answer with totals and two rows. */
function totalled(count: string, sum: string, last: string) {
  const fields = ['is_total', 'row_count', 'sum'].map(name => ({ name, typeId: TEXT }))
  const rows = [
    ['t', count, sum],
    ['f', null, '1'],
    ['f', null, last],
  ]
  return { fields, rows }
}

const [a, b, c] = [
  ['a', null],
  ['b', null],
  ['c', null],
] as [Row, Row, Row]
const at = (instant: string) => answer(['a', instant])

describe('two answers', () => {
  const rows = [
    [
      'an instant in another zone',
      at('2026-11-21 10:00:00.123456+00'),
      at('2026-11-22 00:00:00.123456+14'),
      undefined,
    ],
    [
      'half an hour of a zone',
      at('2026-11-21 10:00:00+00'),
      at('2026-11-21 13:30:00+03:30'),
      undefined,
    ],
    [
      'a microsecond',
      at('2026-11-21 10:00:00.123456+00'),
      at('2026-11-21 10:00:00.123457+00'),
      'row 1 has at 1795255200000.123457 instead of 1795255200000.123456',
    ],
    ['a name', answer(a, b), answer(a, c), 'row 2 has name c instead of b'],
    ['a row of nulls more', answer(a), answer(a, [null, null]), 'row 2 is one more'],
    ['a row less', answer(a, [null, null]), answer(a), 'row 2 is missing'],
    [
      'the number of rows',
      totalled('2', '3', '2'),
      totalled('9', '3', '2'),
      'the number of rows is 9 instead of 2',
    ],
    [
      'a total',
      totalled('2', '3', '2'),
      totalled('2', '9', '2'),
      'the total of sum is 9 instead of 3',
    ],
    [
      'a row behind totals',
      totalled('2', '3', '2'),
      totalled('2', '3', '9'),
      'row 2 has sum 9 instead of 2',
    ],
  ] as const
  for (const [what, one, other, said] of rows) {
    it(`${said === undefined ? 'do not differ' : 'differ'} in ${what}`, () => {
      const found = difference(one, other)
      expect(found && saidOf(found)).to.equal(said)
      expect(found?.isOrderAlone ?? false).to.equal(false)
    })
  }

  it('differ in their order alone where the rows are the same', () => {
    expect(difference(answer(a, b), answer(b, a))?.isOrderAlone).to.equal(true)
  })
})

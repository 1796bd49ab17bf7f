import { expect } from 'chai'
import { difference, saidOf } from '../../src/check/differences.ts'
import type { RawField } from '../../src/terms.ts'

const TEXT = 25
const INSTANT = 1184

function answer(...rows: RawField[][]) {
  return {
    fields: [
      { name: 'name', typeId: TEXT },
      { name: 'at', typeId: INSTANT },
    ],
    rows,
  }
}

describe('two answers', () => {
  it('are the same where their instants are, in whatever time zone they are printed', () => {
    const utc = answer(['a', '2026-11-21 10:00:00.123456+00'])
    const far = answer(['a', '2026-11-22 00:00:00.123456+14'])
    const half = answer(['a', '2026-11-21 13:30:00.123456+03:30'])
    expect([difference(utc, far), difference(utc, half)]).to.deep.equal([undefined, undefined])
  })

  it('differ by a microsecond', () => {
    const one = answer(['a', '2026-11-21 10:00:00.123456+00'])
    const other = answer(['a', '2026-11-21 10:00:00.123457+00'])
    expect(difference(one, other)?.column).to.equal('at')
  })

  it('differ in their order alone where the rows are the same', () => {
    const found = difference(answer(['a', null], ['b', null]), answer(['b', null], ['a', null]))
    expect(found?.isOrderAlone).to.equal(true)
  })

  it('are told apart by the first row and column that differ', () => {
    const found = difference(answer(['a', null], ['b', null]), answer(['a', null], ['c', null]))
    expect(found && saidOf(found)).to.equal('row 2 has name c instead of b')
    expect(found?.isOrderAlone).to.equal(false)
  })

  it('differ where one has a row more, of nothing but nulls too', () => {
    const one = answer(['a', null])
    const two = answer(['a', null], [null, null])
    expect(difference(one, two) && saidOf(difference(one, two)!)).to.equal('row 2 is one more')
    expect(difference(two, one) && saidOf(difference(two, one)!)).to.equal('row 2 is missing')
  })

  it('name the totals as a person does, and number the rows without them', () => {
    const totalled = (count: string, sum: string, last: string) => ({
      fields: ['is_total', 'row_count', 'sum'].map(name => ({ name, typeId: TEXT })),
      rows: [
        ['t', count, sum],
        ['f', null, '1'],
        ['f', null, last],
      ],
    })
    const one = totalled('2', '3', '2')
    const said = [totalled('9', '3', '2'), totalled('2', '9', '2'), totalled('2', '3', '9')].map(
      other => saidOf(difference(one, other)!),
    )
    expect(said).to.deep.equal([
      'the number of rows is 9 instead of 2',
      'the total of sum is 9 instead of 3',
      'row 2 has sum 9 instead of 2',
    ])
  })
})

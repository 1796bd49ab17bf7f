// Changes are those that PostgreSQL computes with numerics.
import { expect } from 'chai'
import { changeOf } from '../../src/definitions/comparison.ts'
import { run, sharedShops } from '../harness/shops.ts'

const ROWS = `
select a::text, b::text, (a - b)::text as change, round(100.00000000000000000000 * (a - b) / nullif(abs(b), 0), 1)::text as percent
from (
    select trunc((random() - 0.5)::numeric * 10::numeric ^ (random() * 20)::integer, (random() * 6)::integer) as a,
        trunc((random() - 0.5)::numeric * 10::numeric ^ (random() * 6)::integer, (random() * 3)::integer) as b
    from generate_series(1, 5000)
    union all
    select change, base from generate_series(-60, 60) as change, unnest(array[-2000, 2000, 0, 30, 0.0]) as base
) as pairs`

describe('the change from a compared value', () => {
  it('is what PostgreSQL subtracts, divides and rounds', async () => {
    const { primaryUrl } = await sharedShops()
    const rows = await run<Record<'a' | 'b' | 'change' | 'percent', string>>(primaryUrl, ROWS)
    expect(rows).to.have.length(5605)
    // why: an assertion for each takes seconds
    const wrong = rows.filter(({ a, b, change, percent }) => {
      const [ofNumber, ofShare] = [changeOf('number', a, b), changeOf('percent', a, b)]
      const isRight = ofNumber.change === change && ofNumber.percent === percent
      return !isRight || ofShare.change !== change || ofShare.percent !== null
    })
    expect(wrong).to.deep.equal([])
  })
})

import { expect } from 'chai'
import { lex, significant } from '../../src/definitions/lexer.ts'
import { sourcesOf } from '../../src/plans/sources.ts'

const named = (sql: string) => sourcesOf(significant(lex(sql))).map(({ name }) => name)

describe('the sources of a statement', () => {
  it('stand behind from, join, and a comma of from', () => {
    expect(named('select a.x from a, shop.b as b join c on f(b.x, c.x) = 1, d')).to.deep.equal([
      'a',
      'b',
      'c',
      'd',
    ])
  })

  it('are no columns that are called as a table is', () => {
    const sql =
      'select named.name, named.operations, named.deals from (select 1 from deals) as named'
    expect(named(sql)).to.deep.equal(['deals'])
    expect(named('select x from a where x is distinct from y group by a.x, a.b')).to.deep.equal([
      'a',
    ])
  })
})

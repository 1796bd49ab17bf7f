// Columns traced through CTEs that read one another.
import { expect } from 'chai'
import { contributorsOf, makersIn } from '../../src/author/sql/columns.ts'
import { readQuery } from '../../src/author/sql/query.ts'
import { parseSql } from '../harness/parse-sql.ts'

describe('columns', () => {
  it('are traced through forty CTEs with stars', async () => {
    const levels = Array.from({ length: 40 }, (_, at) => {
      const [inner, own] = [`t${at}`, `t${at + 1}`]
      return `${own} as (select a.*, b.id as id${at} from ${inner} as a join ${inner} as b using (x))`
    })
    const text = `with t0 as (select id, x from visits), ${levels.join(', ')} select id from t40`
    const { statements } = await parseSql({ text, placeholders: [] })
    const query = readQuery(statements[0]?.tree)
    const [made] = query === undefined ? [] : makersIn(query, 'id')
    const all = made === undefined ? [] : contributorsOf(made.item.expression, made.select)
    expect(all).to.have.length(42)
  })
})

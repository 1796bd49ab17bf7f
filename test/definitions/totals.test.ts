import { expect } from 'chai'
import { lex } from '../../src/definitions/lexer.ts'
import { bringsTotals, withTotals } from '../../src/definitions/totals.ts'

function totalOf(total: string): string | undefined {
  const sql = withTotals('', { columns: { x: { title: '', type: 'money', total } } })
  return /row_count,\n {4}(.*) as "x"/.exec(sql)?.[1]
}

describe('totals', () => {
  it('puts the totals row before the rows, from one run of the statement', () => {
    const sql = withTotals('select ... order by name', {
      columns: {
        name: { title: 'Имя', type: 'text' },
        left: { title: 'Вышло', type: 'integer', total: 'Sum( "left" )' },
        day: { title: 'День', type: 'date', total: 'none' },
        share: { title: 'Доля', type: 'percent', total: 'sum(a) / nullif(sum(b), 0)' },
        weight: { title: 'Вес', type: 'number', hidden: true, total: 'avg(weight)' },
        size: { title: 'Размер', type: 'number', hidden: true, total: 'none' },
        other: { title: 'Прочее', type: 'number', hidden: true },
      },
      facts: { best: { type: 'text', total: 'max(name)' } },
    })
    expect(sql).to.equal(`with report as materialized (
select ... order by name
)
select
    true as is_total,
    count(*) as row_count,
    null as "name",
    coalesce(Sum( "left" ), 0) as "left",
    null as "day",
    sum(a) / nullif(sum(b), 0) as "share",
    avg(weight) as "weight",
    max(name) as "best"
from report
union all
select
    false,
    null,
    "name",
    "left",
    "day",
    "share",
    null,
    null
from report`)
  })

  it('gives 0 for a plain sum alone', () => {
    expect(totalOf('sum(x)')).to.equal('coalesce(sum(x), 0)')
    for (const total of [
      'sum(distinct x)',
      'sum(x) - sum(y)',
      'sum(x + 1)',
      'min(x)',
      'count(*)',
    ]) {
      expect(totalOf(total)).to.equal(total)
    }
  })

  it('sees a statement that brings its own totals', () => {
    expect(bringsTotals(lex('select grouping(a) = 1 as IS_TOTAL'))).to.equal(true)
    expect(bringsTotals(lex('select true as "is_total"'))).to.equal(true)
    expect(bringsTotals(lex(`select 'is_total' -- is_total`))).to.equal(false)
  })
})

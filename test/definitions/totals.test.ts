import { expect } from 'chai'
import { load, reportProblems, reportWith } from './sql-folder.ts'

async function totalOf(total: string): Promise<string | undefined> {
  const text = reportWith('total: sum(amount)', `total: "${total}"`)
  const { reports } = await load({ 'reports/shop/sales.sql': text })
  const sql = reports.get('sales')?.statement.text('uuid')
  return /row_count,\n.*\n {4}(.*) as "amount"/.exec(sql ?? '')?.[1]
}

describe('totals', () => {
  it('replace null by 0 only for a plain sum over no rows', async () => {
    expect(await totalOf('sum(amount)')).to.equal('coalesce(pg_catalog.sum(amount), 0)')
    const others = 'sum(distinct amount)|sum(amount) - sum(x)|sum(amount + 1)|min(amount)|count(*)'
    for (const total of others.split('|')) {
      expect(await totalOf(total)).to.equal(total.replaceAll(/\w+\(/g, 'pg_catalog.$&'))
    }
  })

  it('are returned by the statement only if it selects is_total', async () => {
    const selecting = (columns: string, rest = '') =>
      reportProblems(
        reportWith('select shop, amount\nfrom sales', `select ${columns}\nfrom sales`).replace(
          'order by shop',
          `${rest} order by shop`,
        ),
      )
    const twice = 'the statement selects is_total, expected one kind of totals in a file'
    expect(await selecting('shop, amount', 'and not sales.is_total')).to.deep.equal([])
    expect(await selecting('shop, amount, "IS_TOTAL"')).to.deep.equal([])
    for (const columns of ['sales.is_total', 'is_total::boolean', 'x as IS_TOTAL']) {
      expect((await selecting(columns)).join(), columns).to.contain(twice)
    }
    const ofUnion = await selecting('shop, amount, false as is_total', 'union all select 1, 2, 3')
    expect(ofUnion.join()).to.contain(twice)
    expect((await selecting('*', 'and is_total')).join()).to.contain(twice)
  })

  it('are one aggregate without a name', async () => {
    for (const total of [' ', '*', 'report.*', 'all', 'all sum(amount)', 'sum(amount) as x']) {
      const problems = await reportProblems(reportWith('total: sum(amount)', `total: "${total}"`))
      expect(problems, total).to.have.lengthOf(1)
      expect(problems[0]).to.contain('columns.amount.total: more than an aggregate')
    }
  })
})

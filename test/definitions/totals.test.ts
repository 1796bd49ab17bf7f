import { expect } from 'chai'
import { load, reportWith } from './sql-folder.ts'

function totalOf(total: string): string | undefined {
  const text = reportWith('total: sum(amount)', `total: "${total}"`)
  const sql = load({ 'reports/shop/sales.sql': text }).reports.get('sales')?.statement.text('uuid')
  return /row_count,\n.*\n {4}(.*) as "amount"/.exec(sql ?? '')?.[1]
}

describe('totals', () => {
  it('give 0 for a plain sum of no rows alone', () => {
    expect(totalOf('sum(amount)')).to.equal('coalesce(sum(amount), 0)')
    const others = 'sum(distinct amount)|sum(amount) - sum(x)|sum(amount + 1)|min(amount)|count(*)'
    for (const total of others.split('|')) expect(totalOf(total)).to.equal(total)
  })
})

import { expect } from 'chai'
import { METRICS, problemsOf } from './sql-folder.ts'

function problems(found: string, replaced: string): string[] {
  const all = problemsOf({ 'metrics/shop.sql': METRICS.replace(found, replaced) })
  return all.map(problem => problem.replace('sql/metrics/shop.sql:', ''))
}

describe('metrics', () => {
  it('refuses what reports are refused, but asks for no order', () => {
    expect(problems('x', 'x')).to.deep.equal([])
    expect(problems('sold:', 'Sold:')).to.deep.equal([
      '3: metrics.Sold: bad code "Sold", expected a-z, 0-9 and _, at most 63, no digit first',
    ])
    expect(problems('format: money', 'format: rubles')).to.deep.equal([
      '3: metrics.sold.format: found "rubles", expected a format: money, percent, integer, number, days, hours',
    ])
    expect(problems('format: money', 'fromat: money')).to.deep.equal([
      '3: metrics.sold: unknown key "fromat", did you mean "format"?',
    ])
    expect(problems('---*/', 'timeout: 0s\n---*/')).to.deep.equal([
      '4: timeout: found 0s, expected more than 0 and at most 45s',
    ])
    expect(problems(':organization_id', '1')).to.have.lengthOf(1)
    expect(problems('sum(amount)', 'sum(amount::float8)')).to.have.lengthOf(1)
  })
})

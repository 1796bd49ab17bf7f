import { expect } from 'chai'
import { findingsFile } from '../harness/findings-table.ts'
import { METRICS, problemsOf, REPORT, reportProblems, reportWith } from './sql-folder.ts'

const TENANCY = `
sales: organization_id
sale_lines: via sales (sale_id = id)
units: shared
tracking.scans: organization_id
'"My Table"': organization_id
slug(): shared
tools.word(): shared
`
const [HEAD = ''] = REPORT.split('select ')
const HEAD_LINES = HEAD.split('\n').length - 1

/** Of a report with these declared tables. */
async function faultsIn(sql: string): Promise<string[]> {
  const text = `${HEAD}${sql}${sql.includes('order by') ? '' : ' order by 1'}`
  const file = 'reports/shop/sales.sql'
  const problems = await problemsOf({ 'tenancy.yaml': TENANCY, [file]: text })
  return problems.map(problem => {
    const [, line, message] = /:(\d+): (.*)/.exec(problem) ?? []
    return `${Number(line) - HEAD_LINES}: ${message}`
  })
}

describe('relations and functions of definitions', () => {
  findingsFile('test/definitions/rules/relations.sql', faultsIn)

  it('are of an organization, or the definition is shared', async () => {
    const shared = 'key: [shop]\nshared: true'
    const files = {
      'tenancy.yaml': TENANCY,
      'reports/shop/a.sql': reportWith('from sales', 'from units'),
      'reports/shop/b.sql': reportWith('key: [shop]', shared),
      'reports/shop/c.sql': reportWith('key: [shop]', shared).replace('from sales', 'from units'),
      'metrics/d.sql': METRICS.replace('from sales', ''),
      'metrics/e.sql': METRICS.replace('---*/', 'shared: true\n---*/').replace(/from.*/, ''),
    }
    expect(await problemsOf(files)).to.deep.equal([
      'sql/reports/shop/a.sql:9: reads no table whose rows belong to organizations, expected one, or "shared: true" in the front matter: the same figures for all organizations',
      'sql/reports/shop/b.sql:7: shared: found with sales, whose rows belong to organizations, expected only shared tables',
      'sql/metrics/d.sql:5: reads no table whose rows belong to organizations, expected one, or "shared: true" in the front matter: the same figures for all organizations',
    ])
  })

  it('are none of another table in totals', async () => {
    const total = (sql: string) =>
      reportProblems(reportWith('total: sum(amount)', `total: "${sql}"`))
    expect(await total('(select 1 from sales)')).to.deep.equal([
      '5: columns.amount.total: a subquery, expected an aggregate over the rows of the report',
    ])
    expect((await total('max(amount) + tools.slug(1)')).join()).to.match(
      /^5: columns\.amount\.total: tools\.slug\(\) is no function of pg_catalog, [^,]*, or if it/,
    )
  })
})

import { expect } from 'chai'
import { expectFaults } from './rules/faults.ts'
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
  expectFaults(
    `
select shop, amount from sales join sale_lines on true join units on true, "My Table", scans
select shop, amount from (table sales) as a union select b, c from lateral (select 1 as b, 2 as c from scans) as d
select slug(shop), word(shop), pg_catalog.lower(shop) from sales where shop operator(pg_catalog.=) 'a'
select * from unnest(array[1], array[2]) as a, sales where extract(day from day) = 1 and substring(shop from 2) is not null
with a as (select * from sales), b as (select * from a) select * from b join (with c as (select 1) select * from a, c) as d on true
with recursive a as (select * from b), b as (select 1 as n from sales union all select n from b) select * from a
with a as (with a as (select 1 from sales) select * from a) select * from a
select shop, amount from sale
  1: sale is neither a table in sql/tenancy.yaml nor a CTE that is visible here, did you mean "sales"?
select shop, amount from "Sales"
  1: Sales is neither a table in sql/tenancy.yaml nor a CTE that is visible here, did you mean "sales"?
select shop, amount from sales
  where exists (select from payroll)
  2: payroll is neither a table in sql/tenancy.yaml nor a CTE that is visible here, expected its line there, as "payroll: <column>", "payroll: via <table> (<column> = <key>)" or "payroll: shared"
select * from sales union all (select * from sales
  except select * from payroll)
  2: payroll is neither
select sum(amount) filter (where (select true from payroll)) over (order by (select 1 from wages))
  from sales order by 1 limit (select 1 from fees)
  1: payroll is neither
  1: wages is neither
  2: fees is neither
select * from sales order by (select a from payroll), array(select b from wages)
  1: payroll is neither
  1: wages is neither
select * from sales, lateral (values ((select a from payroll))) as b, generate_series(1, (select c from wages)) as c
  1: payroll is neither
  1: wages is neither
select shop, amount from public.sales
  1: public.sales is named with its schema, expected sales
select shop, amount from other.tracking.scans
  1: other.tracking.scans is named with its schema
select * from sales, pg_stats
  1: pg_stats is a relation of PostgreSQL itself, expected tables of sql/tenancy.yaml
select * from sales, U&"\\0070g_stats", pg_catalog.pg_class, information_schema.tables, pg_temp.sales, pg_toast.a
  1: pg_stats is a relation
  1: pg_catalog.pg_class is a relation
  1: information_schema.tables is a relation
  1: pg_temp.sales is a relation
  1: pg_toast.a is a relation
select * from only sales
  1: only sales leaves out rows of its partitions, expected sales
with a as (select 1), sales as (select * from units)
  select * from sales
  1: the CTE "sales" has the name of a table in sql/tenancy.yaml, expected another name
with pg_stats as (select * from pg_stats) select * from pg_stats, sales
  1: the CTE "pg_stats" has a name that begins with pg_, as those of PostgreSQL do, expected another name
  1: pg_stats is a relation
with payroll as (select * from payroll) select * from payroll, sales
  1: payroll is neither
with a as (select * from payroll), payroll as (select * from sales) select * from a
  1: payroll is neither
select * from (with payroll as (select 1) select * from payroll) as a, payroll, sales
  1: payroll is neither
select * from sales where exists (with recursive a as (select * from payroll) select from a)
  1: payroll is neither
select tools.other(shop), public.slug(shop), tools.word(shop), tools.slug(shop) from sales
  1: tools.other() is no function of pg_catalog, expected one, or if it reads no rows of organizations its line in sql/tenancy.yaml, as "tools.other(): shared"
  1: public.slug() is named with its schema, expected slug()
  1: tools.word() is named with its schema, expected word()
  1: tools.slug() is no function of pg_catalog
select * from sales, tools.others() as a
  1: tools.others() is no function
select * from sales where shop operator(tools.=) 'a' and amount operator(tools.<>) any (select 1)
  order by shop using operator(tools.<)
  1: operator(tools.=) is no operator of pg_catalog, expected one
  1: operator(tools.<>) is no operator
  2: operator(tools.<) is no operator
`,
    faultsIn,
  )

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

// Definitions of small products with ids, columns and names of their own kind.
import { expect } from 'chai'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { productSql } from '../harness/fixtures.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { folderOf } from './corpus.ts'
import { useProduct } from './use-product.ts'

const COLUMNS = `
  name: { title: Имя, type: text }
  amount: { title: Сумма, type: integer, total: sum(amount) }`

const TENANCY = `
plain: org_id
lists: org_id
months: org_id
heavy_plain: org_id
invoices: org_id
lines: via plain (sale_id = id)
`

/** Its statement begins on line 7. */
async function reportOf(
  statement: string,
  { columns = COLUMNS, tenancy = TENANCY } = {},
): Promise<ReportDefinition> {
  const text = `/*---\ntitle: Отчёт\ncolumns:${columns}\nsummary: Строк {row_count}.\n---*/\n${statement}\n`
  const { reports } = await loadCatalog(folderOf({ 'reports/a/x.sql': text }, tenancy), parseSql)
  return reports.get('x')!
}

const inPeriod = (table: string) =>
  `where ${table}.org_id = :organization_id and ${table}.sold_on >= :period_start and ${table}.sold_on < :period_end`

describe('ids of organizations', () => {
  for (const [type, isExecuted] of [
    ['varchar(26)', true],
    ['character(3)', true],
    ['letter', false],
  ] as const) {
    const tenancy = 'sales: organization_id'
    const { found } = useProduct({
      database: `svodka_ids_${type.slice(0, 4)}`,
      schema: `
create type letter as enum ('A', 'B');
create table organizations (id ${type} primary key);
create table sales (id bigint primary key, organization_id ${type} not null references organizations, sold_on date not null, name text not null, amount bigint not null);`,
      tenancy,
      ids: [],
    })

    it(`of type ${type} are known if there are no organizations`, async () => {
      const statement = `select s.name, s.amount, s.id as more from sales as s
where s.sold_on >= :period_start and s.sold_on < :period_end
order by s.id`
      const { findings, unproved } = await found(await reportOf(statement, { tenancy }))
      expect(findings.join('\n')).to.contain('more')
      const unexecuted = 'no id can be made up for the type letter'
      if (isExecuted) expect(unproved.join('\n')).to.not.contain('made up')
      else expect(unproved.join('\n')).to.contain(unexecuted)
    })
  }
})

const SCHEMA = productSql('small')

describe('a small product', () => {
  const { found } = useProduct({
    database: 'svodka_small',
    schema: SCHEMA,
    tenancy: TENANCY,
    options: '-c statement_timeout=2s',
  })

  it('may have columns of arrays', async () => {
    const statement = `select l.name, l.id as amount from lists as l ${inPeriod('l')} order by l.id`
    expect(await found(await reportOf(statement))).to.deep.include({ findings: [], unproved: [] })
  })

  it('may have months as texts and no rows', async () => {
    const columns = `
  name: { title: Имя, type: text }
  month: { title: Месяц, type: month, total: none }`
    const statement = `select m.id::text as name, m.month from months as m ${inPeriod('m')} order by m.id`
    expect((await found(await reportOf(statement, { columns }))).findings).to.deep.equal([])
  })

  it('has duplicated rows at the join, also if a column has a finding', async () => {
    const statement = (more: string) => `select p.name, sum(p.amount) as amount${more}
from plain as p
join lines as l on l.sale_id = p.id
${inPeriod('p')}
group by p.name
order by p.name`
    for (const more of ['', ', 1 as undeclared']) {
      const { findings } = await found(await reportOf(statement(more)))
      expect(findings.join('\n')).to.match(/^10: rows of lines repeat what "amount" adds up/m)
    }
  })

  it('may have a slow view, for which less is proved', async () => {
    const statement = `select p.name, p.amount from heavy_plain as p ${inPeriod('p')} and p.id = 2 order by p.id`
    const { findings, unproved } = await found(await reportOf(statement))
    expect(findings).to.deep.equal([])
    expect(unproved.join('\n')).to.contain('rows of organization 1, rows of organization 2')
  })
})

describe('experiments are for an organization', () => {
  const statement = `select p.id::text as name, sum(p.amount) as amount
from plain as p
join lines as l on l.sale_id = p.id
${inPeriod('p')}
group by p.id
order by p.id`
  const { createCheck, found } = useProduct({
    database: 'svodka_chosen',
    schema: `${SCHEMA.split('insert into')[0]}
insert into organizations values (1), (2), (3);
insert into plain select n, case when n <= 400 then 1 when n <= 1000 then 2 else 3 end, date '2026-03-01' + n % 20, 'N' || n, n from generate_series(1, 22000) as n;
insert into lines select n, n, 'x' from generate_series(401, 1200) as n;
insert into lines values (1, 1001, 'x');`,
    tenancy: TENANCY,
  })

  for (const [what, ids, findings, unproved] of [
    [
      'with rows of each table',
      ['1', '2', '3'],
      /rows of lines repeat what "amount" adds up/,
      /^$/,
    ],
    [
      'whose tables without rows are named',
      ['1'],
      /^$/,
      /^rows of lines \(organization 1 has none\)$/,
    ],
    [
      'that is not large',
      ['3'],
      /^$/,
      /^the experiments \(every organization has 20000 rows or more\)$/,
    ],
  ] as const) {
    it(what, async () => {
      const checked = await found(await reportOf(statement), await createCheck(undefined, ids))
      expect(checked.findings.join('\n')).to.match(findings)
      expect(checked.unproved.join('\n')).to.match(unproved)
    })
  }
})

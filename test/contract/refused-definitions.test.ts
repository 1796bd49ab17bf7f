// Definitions that a real server must not or cannot execute: their findings, and the requests for them.
import { join } from 'node:path'
import { expect } from 'chai'
import { command } from '../commands/in-process.ts'
import { ACCESS } from '../definitions/sql-folder.ts'
import { asker, type Ask } from '../harness/ask.ts'
import { examplesIn } from '../harness/findings-table.ts'
import { productSql } from '../harness/fixtures.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { shortenMinutes } from '../harness/short-minutes.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts'
import { until } from '../harness/until.ts'
import { writeFiles } from '../harness/write-files.ts'
import { capture } from '../observe/observed.ts'
import { readyz, urlAs } from './gateways.ts'

const SCHEMA = productSql('refused')

const TENANCY = `sales: organization_id
renamed: organization_id
texts: organization_id
narrow: organization_id
hidden: organization_id
invoked: organization_id
opened: organization_id
restricted: organization_id
of_others: organization_id
open: organization_id
stamp(): shared
missing(): shared
half(): shared
tools.twice(): shared
sum_of(): shared
extension ltree: shared
lines: via sales (sale_id = id)
parts: { tenancy: via lines (line_id = nr), table: tools.parts }
bits: { tenancy: via renamed (id = amount), table: tools.bits }
partly: { tenancy: organization_id, table: tools.partly, columns: [organization_id, amount] }
`

const of = (amount: string, from = 'sales'): string => `/*---
title: Продажи
columns:
  name: { title: Имя, type: text }
  amount: { title: Сумма, type: money, total: sum(amount)::bigint }
key: [name]
summary: Строк {row_count}.
---*/
select 'a' as name,
  ${amount} as amount
from ${from}
group by 1
order by name
`

/** With a parameter whose values are the amounts of a table. */
const withValues = (amount: string, type: string, table: string): string =>
  of(amount, `sales where :value::${type} is null`).replace(
    'key:',
    `parameters: { value: { title: a, type: ${type}, values: { sql: 'select amount as value, 1 as label from ${table} order by 1' } } }\nkey:`,
  )

/** Reports by code, below their finding, in which $ is the end of the line; by default, they read sales. */
const reportsIn = (table: string) =>
  Object.fromEntries(
    examplesIn(table).map(({ text, findings: [finding = ''] }) => {
      const [, code = '', amount = '', from] = /^(\w+): (.*?)(?: from (.*))?$/.exec(text) ?? []
      return [code, [of(amount, from), finding.replace('$', '\n')]] as const
    }),
  )

/** PostgreSQL might execute them, but must not. */
const FORBIDDEN: ReturnType<typeof reportsIn> = {
  ...reportsIn(`
10: random() is volatile, so its value differs each time, expected a function that is stable or immutable
  random: sum(amount * random())::bigint
10: stamp() is volatile
  stamp: sum(stamp(amount))::bigint
10: cents() is no function of pg_catalog, expected one, or if it reads no rows of organizations its line in sql/tenancy.yaml, as "cents(): shared"
  undeclared: sum(cents(amount))::bigint
10: no_such() is no function of pg_catalog, expected one$
  unknown: sum(no_such(amount))::bigint
10: public.missing() does not exist, expected what sql/tenancy.yaml:12 declares
  missing: sum(missing(amount))::bigint
10: operator @+@ calls glue(), which may read rows of any organization, expected, if it reads none, its line in sql/tenancy.yaml
  operator: length(max(note) @+@ 'x')
10: operator @-@ calls peek(), which may read
  immutable_operator: sum(amount @-@ 'x')::bigint
10: sum_of() calls add_to(), which may read
  aggregate: sum_of(amount)
10: s.amount calls amount() if there
  column_or_function: max(s.amount) from (select note from sales) as s
10: sales.all_sales calls all_sales() if there is no such column, which may read rows of any organization, expected, if it reads none, its line in sql/tenancy.yaml
  row_type: max(sales.all_sales)
10: (...).all_of calls all_of() if there
  any_type: max((sales).all_of)
10: (...).all_named calls all_named() if there
  any_value: max((note).all_named)
10: n.all_named calls all_named() if there
  value_of_function: max(n.all_named) from sales, unnest(array['1']) as n
10: unnest.all_named calls all_named() if there
  value_of_bare_function: max(unnest.all_named) from sales, unnest(array['1'])
10: json_scalar calls json_scalar() before PostgreSQL 17, which may read rows of any organization, expected, if it reads none, its line in sql/tenancy.yaml
  new_keyword: max(json_scalar(1)::text::bigint)
9: row-level security hides rows of public.hidden from the role refused_reader, expected bypassrls, or a policy using (true) for it
  hidden: sum(amount)::bigint from hidden
9: row-level security hides rows of public.invoked from the role refused_reader, expected bypassrls, or a policy using (true) for it
  invoked: sum(amount)::bigint from invoked
9: row-level security hides rows of public.restricted
  restricted: sum(amount)::bigint from restricted
9: row-level security hides rows of public.of_others
  of_others: sum(amount)::bigint from of_others
`),
  hidden_values: [
    withValues('sum(amount)::bigint', 'integer', 'hidden'),
    '10: row-level security hides rows of public.hidden',
  ],
}

/** What PostgreSQL rejects itself. */
const REJECTED: typeof FORBIDDEN = {
  wrong_values: [
    withValues('sum(nothing)::bigint', 'date', 'sales'),
    '6: parameters.value.values.sql: column "value" is int8, expected date for date',
  ],
  ...reportsIn(`
function upper(bigint) does not exist, expected a function of pg_catalog for these arguments
  arguments: sum(upper(amount))::bigint
renamed (sql/tenancy.yaml:2): column "organization_id" does not exist, expected a column that exists
  renamed: sum(amount)::bigint from renamed
parts (sql/tenancy.yaml:18): column lines.nr does not exist, expected a column that exists$
  key_of_parent: sum(amount)::bigint from parts
bits (sql/tenancy.yaml:19): column renamed.organization_id does not exist, expected a column
  column_of_parent: sum(amount)::bigint from bits
10: column partly.code does not exist, expected a column that exists, of partly one in its "columns" (sql/tenancy.yaml:20)
  left_out: sum(partly.code)::bigint from partly
texts (sql/tenancy.yaml:3): operator does not exist: text = integer, expected a column that can equal
  texts: sum(amount)::bigint from texts
narrow (sql/tenancy.yaml:4): permission denied for table narrow, expected the privilege to select from it, or the columns that the role may read
  narrow: sum(amount)::bigint from narrow
`),
  primary_key: [
    of('sum(amount)::bigint').replace("'a' as name", 'note as name').replace('by 1', 'by id'),
    '9: column "sales.note" must appear in the GROUP BY clause or be used in an aggregate function, expected it there or in an aggregate: a primary key',
  ] as const,
}

const ACCEPTED: Record<string, string> = {
  plain: of('sum(amount)::bigint'),
  declared: of('sum(half(amount) + twice(amount))::bigint'),
  absolute: of('sum(abs(amount))::bigint'),
  open: of('sum(amount)::bigint', 'open'),
  opened: of('sum(amount)::bigint', 'opened'),
  casts: of('sum(note::integer)::bigint'),
  declared_extension: of(`count(*) filter (where note::ltree = '10')`),
  column: of('sum(s.amount)::bigint', 'sales as s'),
}

describe('a definition that the server refuses', () => {
  let database: TestDatabase
  let gateway: TestGateway
  let ask: Ask
  let settings: NodeJS.ProcessEnv
  let restore: (() => void) | undefined
  const filesOf = (all: typeof FORBIDDEN) =>
    Object.entries(all).map(([code, [text]]) => [code, text])

  before(async () => {
    database = await createTestDatabase('refused_definitions', SCHEMA)
    const SQL_DIR = writeFiles(join(temporaryFolder(), 'sql'), {
      'tenancy.yaml': TENANCY,
      'access/organization_by_key.sql': ACCESS,
      ...Object.fromEntries(
        [...filesOf(FORBIDDEN), ...filesOf(REJECTED), ...Object.entries(ACCEPTED)].map(
          ([code, text]) => [`reports/shop/${code}.sql`, text],
        ),
      ),
    })
    settings = { DATABASE_URL: urlAs('refused_reader', database.replicaUrl), SQL_DIR }
    // why: checks are repeated every minute
    restore = shortenMinutes()
    gateway = await startGateway(settings)
    ask = asker(gateway.url, 'key 1')
  })
  after(async () => {
    restore?.()
    await gateway?.stop()
    await database?.change(
      'drop owned by refused_reader, refused_other; drop role refused_reader, refused_other',
    )
  })

  it('has its finding in --check-config', async () => {
    const { code, stdout } = await command('serve --check-config', settings)
    expect(code).to.equal(1)
    for (const [name, [, finding]] of Object.entries({ ...FORBIDDEN, ...REJECTED }))
      expect(stdout, name).to.contain(finding.replace(/^(?=\d+: )/, `shop/${name}.sql:`))
    for (const name of Object.keys(ACCEPTED)) expect(stdout).not.to.contain(`shop/${name}.sql`)
  })

  it('is reported in the log and in readiness', async () => {
    const refused = gateway.observations.flatMap(fact =>
      fact.kind === 'definition-refused' ? [fact.definition] : [],
    )
    const names = Object.keys({ ...FORBIDDEN, ...REJECTED })
    const log = capture()
    for (const fact of gateway.observations) log.observe(fact)
    for (const name of ['key_of_parent', 'column_of_parent', 'left_out'])
      expect(log.texts.join('').replaceAll('\\"', '"')).to.contain(
        REJECTED[name]![1].replace(/^10: |\n/g, ''),
      )
    expect(new Set(refused)).to.deep.equal(new Set(names))
    const verbose = await readyz(gateway)
    expect(verbose).to.contain(`[+]definitions degraded: ${names.length} of `)
  })

  for (const [names, executions] of [
    [Object.keys(FORBIDDEN), 0],
    [Object.keys(REJECTED), Object.keys(REJECTED).length],
  ] as const) {
    it(`is 500 internal_error, after ${executions} executions: ${names.join(', ')}`, async () => {
      const executed = () => gateway.observations.filter(({ kind }) => kind === 'execution').length
      const before = executed()
      for (const name of names) {
        const { status, json, text } = await ask(`/reports/${name}`)
        expect([status, json.code], name).to.deep.equal([500, 'internal_error'])
        expect(text).not.to.match(/volatile|pg_catalog|tenancy|sales|secret/)
      }
      expect(executed() - before).to.equal(executions)
    })
  }

  it('does not affect other definitions', async () => {
    for (const [name, amount] of [
      ['plain', 10],
      ['open', 5],
      ['declared', 25],
      ['column', 10],
      ['declared_extension', 1],
    ] as const) {
      const { status, json } = await ask(`/reports/${name}`)
      expect([status, json.totals.amount], name).to.deep.equal([200, amount])
    }
  })

  it('is found within a minute after a migration, and served again after another', async () => {
    const isRefused = (count: number) => async () => {
      const verbose = await readyz(gateway)
      return verbose.includes(`: ${count} of `)
    }
    const refusedCount = Object.keys({ ...FORBIDDEN, ...REJECTED }).length
    for (const [object, more, words] of [
      ['cast (text as tag)', 'with function tag_of(text)', 'the cast to tag calls tag_of()'],
      ['domain checked', 'as bigint check (is_fine(value))', 'the cast to checked calls is_fine()'],
      ['domain matched', "as text check (value @+@ 'x' > '')", 'the cast to matched calls glue()'],
      ['extension citext', '', 'the extension citext is used'],
    ]) {
      await database.change(`create ${object} ${more}`)
      await until(isRefused(refusedCount + Object.keys(ACCEPTED).length))
      const refused = gateway.observations.filter(({ kind }) => kind === 'definition-refused')
      expect(refused.map(fact => String('error' in fact && fact.error)).join('\n')).to.contain(
        `plain.sql:9: ${words}, which may read rows of any organization`,
      )
      await database.change(`drop ${object}`)
      await until(isRefused(refusedCount))
    }
    await database.change('alter function abs(bigint) volatile')
    await until(isRefused(refusedCount + 1))
    expect((await ask('/reports/absolute?from=2025-01-01')).json.code).to.equal('internal_error')
    await database.change('alter function abs(bigint) immutable')
    await until(isRefused(refusedCount))
    await database.change('alter table open rename amount to sum')
    await until(isRefused(refusedCount + 1))
    await database.change('alter table open rename sum to amount')
    await until(isRefused(refusedCount))
    expect((await ask('/reports/absolute?from=2024-01-01')).json.totals.amount).to.equal(10)
  })

  it('never shows a value of PostgreSQL in its response or in the log', async () => {
    for (const key of ['key 1', 'key 2']) {
      const answers = await Promise.all(
        ['/reports/casts', '/reports/casts.csv', '/reports/casts/schema', '/openapi.json'].map(
          path => asker(gateway.url, key)(path),
        ),
      )
      expect(answers.map(({ text }) => text).join('')).not.to.match(/secret|invalid input/)
    }
    expect((await asker(gateway.url, 'key 2')('/reports/casts')).json.code).to.equal(
      'internal_error',
    )
    const failed = gateway.observations.filter(
      fact => fact.kind === 'execution' && String(fact.error).includes('secret'),
    )
    expect(failed.length).to.be.greaterThan(0)
    const log = capture({ level: 'trace' })
    for (const fact of gateway.observations) log.observe(fact)
    expect(log.texts.join('')).to.contain('invalid input syntax for type integer: \\"…\\"')
    expect(log.texts.join('')).not.to.contain('secret')
  })
})

import { expect } from 'chai'
import { load, METRICS, problemsOf, REPORT, reportProblems } from './sql-folder.ts'

/** A report whose front matter declares a parameter, and whose statement names it. */
function reportWithParameter(name: string, matter: string, condition = `(:${name} is null)`) {
  return REPORT.replace('---*/', `parameters:\n  ${name}: ${matter}\n---*/`).replace(
    'order by shop',
    `and ${condition}\norder by shop`,
  )
}

/** Name, declaration, and what is wrong with it; empty if nothing is. */
const DECLARED = `
  kind | { title: a, type: text, values: { income: b, expense: c }, default: income } |
  id | { title: a, type: integer, values: { 1: b, 2: c } } |
  id | { title: a, type: integer, values: { sql: "select id as value, name as label from sales order by id" } } |
  sum_at | { title: a, type: money, minimum: 0, maximum: "9223372036854775807" } |
  since | { title: a, type: date, minimum: 2026-01-01, default: 2026-01-02 } |
  rate | { title: a, type: number, default: 0.5 } |
  counterparty | { title: a, type: text } |
  page_size | { title: a, type: text } | parameters.page_size: "page_size" has a meaning of its own in requests, expected another name
  flag | { title: a, type: boolean, default: false } |
  to | { title: a, type: text } | parameters.to: "to" has a meaning of its own in requests, expected another name
  limit | { title: a, type: text } | parameters.limit: "limit" has a meaning of its own in requests, expected another name
  token | { title: a, type: text } | parameters.token: "token" has a meaning of its own in requests, expected another name
  utm_x | { title: a, type: text } | parameters.utm_x: "utm_x" has a meaning of its own in requests, expected another name
  today | { title: a, type: date } | parameters.today: "today" has a meaning of its own in requests, expected another name
  constructor | { title: a, type: text } | parameters.constructor: "constructor" has a meaning of its own in requests, expected another name
  flag | { title: a, type: boolean, values: { sql: "select true as value, 1 as label from sales order by 1" } } | parameters.flag.values.sql: found with the type boolean, expected none: it has two values
  period | { title: a, type: text } | parameters.period: "period" has a meaning of its own in requests, expected another name
  Kind | { title: a, type: text } | parameters.Kind: bad name "Kind", expected a-z, 0-9 and _, at most 40, a letter first
  kind | { title: a, type: int } | parameters.kind.type: found "int", expected a type: text, integer, money, number, date, boolean, uuid
  kind | { type: text } | parameters.kind: no key "title", expected a title
  id | { title: a, type: integer, default: 1.5 } | parameters.id.default: found 1.5, expected a whole number
  id | { title: a, type: integer, default: 3, maximum: 2 } | parameters.id: found 3, expected at most 2
  id | { title: a, type: integer, minimum: 3, maximum: 2 } | parameters.id.minimum: found 3 above the maximum 2, expected at most that
  id | { title: a, type: integer, maximum: 9007199254740993 } | parameters.id.maximum: found 9007199254740992, expected it in quotes: it has more digits than YAML keeps
  kind | { title: a, type: text, minimum: a } | parameters.kind.minimum: values of the type text have no order, expected no minimum
  kind | { title: a, type: text, required: true, default: a } | parameters.kind: required: found with a default, expected one of the two
  kind | { title: a, type: text, default: c, values: { a: b } } | parameters.kind: found c, expected one of a
  id | { title: a, type: integer, minimum: 0, values: { y: b } } | parameters.id.values.y: found "y", expected a whole number
  id | { title: a, type: integer, values: { x: b } } | parameters.id.values.x: found "x", expected a whole number
  id | { title: a, type: integer, values: { sql: "select 1 as value from sales" } } | parameters.id.values.sql: no order by at the top level, expected one that ends in a unique key
  id | { title: a, type: integer, values: { sql: "select id as value from pg_class order by 1" } } | parameters.id.values.sql: pg_class is a relation of PostgreSQL itself, expected tables of sql/tenancy.yaml
  id | { title: a, type: integer, values: { sql: "select now() as value from sales order by 1" } } | parameters.id.values.sql: now() reads the clock, expected :today, :as_of or :now
  id | { title: a, type: integer, values: { sql: "select id as value from sales where day < :period_end order by id" } } | parameters.id.values.sql: unknown placeholder :period_end, expected one of :organization_id, :time_zone
`

describe('parameters', () => {
  for (const line of DECLARED.trim().split('\n')) {
    const [name = '', matter = '', problem = ''] = line.split(' | ').map(part => part.trim())
    it(`are declared: ${name} ${matter}`, async () => {
      const problems = await reportProblems(reportWithParameter(name, matter.replace(/ \|$/, '')))
      const expected = problem === '' ? [] : [`9: ${problem}`]
      const shown = problems.map(one => one.replace(/^\d+: (?=unknown)/, '9: '))
      expect(shown).to.deep.equal(expected)
    })
  }

  it('that the statement does not use, or does not declare, are refused', async () => {
    const unused = reportWithParameter('kind', '{ title: a, type: text }', 'true')
    expect(await reportProblems(unused)).to.deep.equal([
      '9: parameters.kind: the SQL has no :kind, expected one',
    ])
    const undeclared = REPORT.replace('order by', 'and :kind is null\norder by')
    expect((await reportProblems(undeclared)).join()).to.contain('unknown placeholder :kind')
  })

  it('are bound by their types, also those of one letter, beside nine placeholders', async () => {
    const all = ':period_start_at :period_end_at :today :as_of :now :time_zone'.split(' ')
    const conditions = [...all.map(name => `${name} is not null`), ':a > 0', ':b'].join(' and ')
    const matter = '{ title: a, type: money }\n  b: { title: b, type: boolean }'
    const text = reportWithParameter('a', matter, conditions)
    const { reports } = await load({ 'reports/shop/sales.sql': text })
    const { statement } = reports.get('sales')!
    expect(statement.text('uuid')).to.match(/\(\$8::bigint\) > 0 and \(\$9::boolean\)/)
    const bindings = {
      organizationId: '1',
      period: { start: '2026-01-01', end: '2026-02-01' },
      today: '2026-01-01',
      now: '2026-01-01T00:00:00Z',
      timeZone: 'UTC',
    }
    expect(statement.values(bindings).slice(7)).to.deep.equal([null, null])
    const parameters = new Map([
      ['a', '5'],
      ['b', 'true'],
    ])
    expect(statement.values({ ...bindings, parameters }).slice(7)).to.deep.equal(['5', 'true'])
  })

  it('of metrics are never required', async () => {
    const text = METRICS.replace(
      '---*/',
      'parameters:\n  kind: { title: a, type: text, required: true }\n---*/',
    )
      .replace(';', '')
      .trim()
    expect(await problemsOf({ 'metrics/shop.sql': `${text} and kind = :kind` })).to.deep.equal([
      'sql/metrics/shop.sql:5: parameters.kind.required: found true, expected no required parameter of metrics',
    ])
  })
})

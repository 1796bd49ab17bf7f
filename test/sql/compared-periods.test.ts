// Two periods in one statement give what two statements give, for every report and metric that can be compared.
import { expect } from 'chai'
import type { Client } from 'pg'
import { comparedPeriods, COMPARISONS } from '../../src/definitions/comparison-period.ts'
import type { ComparisonKind } from '../../src/definitions/comparison-period.ts'
import { compareMetrics, compareReport, reportFault } from '../../src/definitions/comparison.ts'
import type { MetricsDefinition, ReportDefinition } from '../../src/definitions/definition.ts'
import { comparedRows, measuresOf, normalized } from '../harness/compared-rows.ts'
import type { PlainReport } from '../harness/compared-rows.ts'
import { scaled, sum } from './oracles/arithmetic.ts'
import { generatedDatabase } from './generated/database.ts'
import type { Question } from './oracles/oracle.ts'
import { runMetrics, runReport } from './run.ts'
import type { FieldRow } from './run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

const { reports, metricsFiles } = ourCatalog()
const COMPARABLE = [...reports.values()].filter(one => reportFault(one) === undefined)

/** Quantities have three decimals. */
const SCALE = 3

/** Numbers without trailing zeros. */
function normalizedRow(row: FieldRow, definition: ReportDefinition): FieldRow {
  const { plain, columns } = definition.comparison!
  const names = measuresOf({ ...definition, columns: [...plain.columns, ...columns] })
  const numbers = new Set(names.map(({ key }) => key))
  return Object.fromEntries(
    definition.columns.map(({ key }) => [
      key,
      numbers.has(key) ? normalized(row[key]!) : row[key]!,
    ]),
  )
}

async function expectReport(
  client: Client,
  definition: ReportDefinition,
  kind: ComparisonKind,
  organizationId: string,
  question: Question,
): Promise<number> {
  const { period, comparison } = comparedPeriods(question.period, kind, question.today)
  const [requested, compared] = [period, comparison].map(async (one): Promise<PlainReport> => ({
    period: one,
    ...(await runReport(client, definition, organizationId, { ...question, period: one })),
  }))
  const expected = comparedRows(definition, await requested!, await compared!)
  const report = compareReport(definition, kind)
  const asked = { ...question, period, comparison }
  const { rows, totals } = await runReport(client, report, organizationId, asked)
  const what = `${definition.code} ${kind} ${period.start} ${period.end}`
  expect(
    rows.map(row => [row['#compared_only'], normalizedRow(row, report)]),
    what,
  ).to.deep.equal(
    expected.rows.map(({ cells, isComparedOnly }) => [isComparedOnly ? 't' : 'f', cells]),
  )
  const { labelColumn } = definition
  expect({ ...normalizedRow(totals, report), [labelColumn]: null }, what).to.deep.equal({
    ...expected.totals,
    [labelColumn]: null,
  })
  for (const { key } of measuresOf(definition)) {
    if (definition.source.matter.columns[key]!.aggregation?.rows !== 'sum') continue
    const changes = rows.map(row => scaled(row[`${key}_change`]!, SCALE))
    const total = scaled(totals[`${key}_change`]!, SCALE)
    expect(sum(changes), `${what}: changes of ${key}`).to.equal(total)
  }
  return expected.rows.filter(row => row.isComparedOnly).length
}

async function expectMetrics(
  client: Client,
  definition: MetricsDefinition,
  kind: ComparisonKind,
  organizationId: string,
  question: Question,
): Promise<void> {
  const { period, comparison } = comparedPeriods(question.period, kind, question.today)
  const run = (one: typeof period) =>
    runMetrics(client, definition, organizationId, { ...question, period: one })
  const [requested, compared] = [await run(period), await run(comparison)]
  const metrics = compareMetrics(definition)
  const asked = { ...question, period, comparison }
  const row = await runMetrics(client, metrics, organizationId, asked)
  const columns = definition.metrics.map(({ code, title, format }) => ({
    key: code,
    title,
    type: format === 'percent' ? ('percent' as const) : ('number' as const),
  }))
  const matter = { columns: {} as Record<string, object> }
  for (const { key } of columns) matter.columns[key] = {}
  const like = { columns, key: [], labelColumn: '', source: { matter } } as unknown
  const { totals } = comparedRows(
    like as ReportDefinition,
    { period, rows: [], totals: requested },
    { period: comparison, rows: [], totals: compared },
  )
  for (const { code, format } of definition.metrics) {
    const { compared: before, change, changePercent } = metrics.figures!.get(code)!
    const found = [code, before!.code, change!.code, changePercent!.code]
    expect(
      found.map(name => normalized(row[name]!)),
      `${code} ${kind} ${period.start}`,
    ).to.deep.equal([
      totals[code],
      totals[`${code}_compared`],
      totals[`${code}_change`],
      format === 'percent' ? null : totals[`${code}_change_percent`],
    ])
  }
}

/** @returns how many rows only the comparison periods have */
async function expectAll(client: Client, id: string, question: Question): Promise<number> {
  let comparedOnly = 0
  for (const kind of COMPARISONS) {
    for (const report of COMPARABLE) {
      comparedOnly += await expectReport(client, report, kind, id, question)
    }
    for (const file of metricsFiles.values()) await expectMetrics(client, file, kind, id, question)
  }
  return comparedOnly
}

/** Of each of the 16 periods of generated organizations, one in a different zone and at a different instant. */
const SEEDS = Array.from({ length: 16 }, (_, at) => 5 + at * 16)
const DEMO_PERIODS = new Set(['this year', 'days on both sides of today', 'New Year'])

describe('the comparison of two periods', function () {
  this.timeout(240_000)

  it('is offered by reports of few rows that do not depend on today', () => {
    expect(COMPARABLE.map(({ code }) => code)).to.have.members([
      'cash_flow',
      'cash_flow_by_month',
      'deals_by_manager',
      'deals_by_source',
      'expenses_by_category',
      'income_by_category',
      'profit_by_project',
      'profit_loss',
      'requests_by_assignee',
      'requests_by_channel',
      'sales_funnel',
      'tasks_by_assignee',
      'tasks_by_month',
    ])
  })

  describe('over the demo', () => {
    let client: Client
    before(async () => {
      client = await connectAsReports()
    })
    after(() => client?.end())

    // why: the large one takes as long as all others
    for (const { name, id, timeZone } of DEMO_ORGANIZATIONS) {
      if (name === 'the large one') continue
      it(`equals two statements for ${name}`, async () => {
        for (const { name: period, question } of questions(Date.now, timeZone)) {
          if (DEMO_PERIODS.has(period)) await expectAll(client, id, question)
        }
        const { question } = questions(Date.now, timeZone)[0]!
        const quarter = { start: '2026-04-01', end: '2026-07-01' }
        await expectAll(client, id, { ...question, period: quarter })
      })
    }
  })

  it(`equals two statements for ${SEEDS.length} generated organizations`, async () => {
    const database = await generatedDatabase('svodka_comparison')
    let comparedOnly = 0
    try {
      for (const seed of SEEDS) {
        await database.withOrganization(seed, async (client, { organizationId, question }) => {
          comparedOnly += await expectAll(client, organizationId, question)
        })
      }
    } finally {
      await database.end()
    }
    expect(comparedOnly).to.be.greaterThan(20)
  })
})

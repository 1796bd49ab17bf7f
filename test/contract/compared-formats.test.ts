// Every report that can be compared equals two plain requests, cell by cell and in every format.
import { expect } from 'chai'
import { reportFault } from '../../src/definitions/comparison.ts'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { Column } from '../../src/model/terms.ts'
import { READERS, type Value } from '../formats/format-readers.ts'
import { comparedRows, measuresOf } from '../harness/compared-rows.ts'
import type { ComparedRow, PlainReport } from '../harness/compared-rows.ts'
import { addDays } from '../sql/oracles/calendar.ts'
import { ourCatalog } from '../sql/subject.ts'
import { PATHS_OF_READERS } from './gateways.ts'
import { productBodies } from './product-bodies.ts'

type JsonRow = Readonly<Record<string, Value>>
interface Dates {
  readonly from: string
  readonly to: string
}
interface Json {
  readonly period: Dates
  readonly columns: readonly Column[]
  readonly rows: readonly JsonRow[]
  readonly totals: JsonRow
  readonly summary: string
  readonly compare: Omit<Json, 'compare' | 'summary'>
}

const COMPARABLE = [...ourCatalog().reports.values()].filter(one => reportFault(one) === undefined)

/** The current year is unfinished; 2024 has a 29 February. */
const QUERIES = [
  'compare=year',
  'compare=previous&from=2026-04-01&to=2026-06-30',
  'compare=year&from=2025-02-01&to=2025-02-28',
  'compare=previous&from=2026-03-10&to=2026-04-20',
]

function plainReport({ period, rows, totals }: Json): PlainReport {
  const cells = (row: JsonRow) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, value === null ? null : String(value)]),
    )
  const { from: start, to } = period
  return {
    period: { start, end: addDays(to, 1) },
    rows: rows.map(cells),
    totals: cells(totals),
  }
}

describe('the comparison of every report', () => {
  const { fetchBody } = productBodies()
  const fetchJson = async (path: string): Promise<Json> =>
    JSON.parse((await fetchBody(path)).toString())
  let comparedOnlyCount = 0

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
  const fetchPlain = (code: string, { from, to }: Dates): Promise<Json> =>
    fetchJson(`${code}?from=${from}&to=${to}`)

  /** The values of these columns, numbers as numbers. */
  function valuesOf(
    definition: ReportDefinition,
    { cells }: Pick<ComparedRow, 'cells'>,
    columns: readonly Column[],
  ): Value[] {
    const numbers = new Set(measuresOf({ ...definition, columns }).map(column => column.key))
    return columns.map(column => {
      const cell = cells[column.key] ?? null
      return cell !== null && numbers.has(column.key) ? Number(cell) : cell
    })
  }

  for (const definition of COMPARABLE) {
    const { code, labelColumn } = definition
    it(`equals two requests: ${code}`, async () => {
      for (const [at, query] of QUERIES.entries()) {
        const json = await fetchJson(`${code}?${query}`)
        const requested = await fetchPlain(code, json.period)
        const { compare, ...plain } = json
        expect(plain, query).to.deep.equal(requested)
        const before = await fetchPlain(code, compare.period)
        const expected = comparedRows(definition, plainReport(requested), plainReport(before))
        const ofJson = (row: JsonRow) => compare.columns.map(column => row[column.key])
        expect(compare.rows.map(ofJson), query).to.deep.equal(
          expected.rows.map(row => valuesOf(definition, row, compare.columns)),
        )
        const totals = { cells: { ...expected.totals, [labelColumn]: 'Итого' } }
        expect(ofJson(compare.totals), query).to.deep.equal(
          valuesOf(definition, totals, compare.columns),
        )
        for (const { key } of measuresOf(definition)) {
          if (definition.source.matter.columns[key]!.aggregation?.rows !== 'sum') continue
          const change = compare.rows.reduce((sum, row) => sum + Number(row[`${key}_change`]), 0)
          expect(change, `${query}: ${key}`).to.be.closeTo(
            Number(compare.totals[`${key}_change`]),
            1e-6,
          )
        }
        comparedOnlyCount += expected.rows.filter(row => row.isComparedOnly).length
        // why: two queries in JSON alone save half of the time
        if (at > 1) continue
        const own = new Set(json.columns.map(column => column.key))
        const columns = [...json.columns, ...compare.columns.filter(column => !own.has(column.key))]
        const values = expected.rows.map(row => valuesOf(definition, row, columns))
        for (const [format, suffix] of Object.entries(PATHS_OF_READERS)) {
          const separator = suffix.includes('?') ? '&' : '?'
          const body = await fetchBody(`${code}${suffix}${separator}${query}`)
          const actual = await READERS[format]!(body, columns)
          expect(actual, `${format} ${query}`).to.deep.equal(values)
        }
      }
    })
  }

  it('has rows that only the comparison period has', () => {
    expect(comparedOnlyCount).to.be.greaterThan(20)
  })
})

// Every report that can be compared equals two plain requests, cell by cell and in every format.
import { expect } from 'chai'
import { isComparable } from '../../src/definitions/comparison.ts'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { Column } from '../../src/model/terms.ts'
import { READERS, type Value } from '../formats/format-readers.ts'
import { LAST_TWELVE_MONTHS, OF_LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'
import { ourCatalog } from '../sql/subject.ts'
import { PATHS_OF_READERS } from './gateways.ts'
import { productBodies } from './product-bodies.ts'

type Cells = Readonly<Record<string, Value>>
interface Json {
  readonly period: { readonly from: string; readonly to: string }
  readonly columns: readonly Column[]
  readonly rows: readonly Cells[]
  readonly totals: Cells
  readonly compare: Omit<Json, 'compare'>
}

const COMPARABLE = [...ourCatalog().reports.values()].filter(one => isComparable(one))

const YEAR = Number(LAST_TWELVE_MONTHS.to.slice(0, 4))

/** The current year is unfinished, and may have no rows; of last year, all rows are there. */
const QUERIES = [
  `compare=year&${OF_LAST_TWELVE_MONTHS}`,
  `compare=previous&from=${YEAR - 1}-04-01&to=${YEAR - 1}-06-30`,
  `compare=year&from=${YEAR - 1}-02-01&to=${YEAR - 1}-02-28`,
  `compare=previous&from=${YEAR - 1}-03-10&to=${YEAR - 1}-04-20`,
  'compare=year',
  `compare=previous&from=${YEAR - 1}-02-01&to=${YEAR - 1}-03-05`,
  `compare=previous&from=${YEAR - 1}-02-02&to=${YEAR - 1}-04-05`,
  `compare=previous&from=${YEAR - 1}-02-10&to=${YEAR - 1}-02-20`,
]

const SCALE = 1e6
const exact = (value: Value): bigint => BigInt(Math.round(Number(value) * SCALE))

/** To tenths of a percent, half of a tenth away from zero. */
function percentOf(change: bigint, base: bigint): number {
  const [amount, divisor] = [change, base].map(value => (value < 0n ? -value : value)) as [
    bigint,
    bigint,
  ]
  const tenths = Number((amount * 2000n + divisor) / (2n * divisor)) / 10
  // why: -0 is not 0
  return change < 0n && tenths > 0 ? -tenths : tenths
}

/** The months of a period, as `2026-03`, each with its days: whether it is whole, the first, and the last. */
function monthsOf({ from, to }: Json['period']) {
  const months = new Map<string, { first: number; last: number; length: number }>()
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) {
    const date = new Date(day)
    const month = date.toISOString().slice(0, 7)
    const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    const last = date.getUTCDate()
    months.set(month, { first: months.get(month)?.first ?? last, last, length })
  }
  return [...months]
}

/** The months at a position in two periods, and whether they may be compared. */
function pairAt(position: number, now: Json, before: Json) {
  const [ours, theirs] = [now, before].map(({ period }) => monthsOf(period)[position])
  if (ours === undefined || theirs === undefined) return { compared: null, isAlike: false }
  const [{ first, last, length }, other] = [ours[1], theirs[1]]
  const sameEnd = last === length ? other.length : Math.min(last, other.length)
  return { compared: theirs[0], isAlike: first === other.first && sameEnd === other.last }
}

/** The oracle: joins the rows of two plain requests by their keys. */
function joinedRows(
  { columns, key, labelColumn, source }: ReportDefinition,
  now: Json,
  before: Json,
) {
  const measures = columns.filter(
    one =>
      /^(?:integer|number|percent|money)$/.test(one.type) &&
      ![...key, labelColumn].includes(one.key),
  )
  const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
  const month = columns.find(one => one.type === 'month' && key.includes(one.key))?.key
  const positionOf = (row: Cells, { period }: Json) =>
    monthOf(String(row[month!])) - monthOf(period.from)
  const keyOf = (row: Cells, of: Json) =>
    JSON.stringify(key.map(name => (name === month ? positionOf(row, of) : row[name])))

  function joined(row: Cells | undefined, other: Cells | undefined, isTotals = false): Cells {
    const cells: Record<string, Value> = Object.fromEntries(
      columns.map(one => [
        one.key,
        (measures.includes(one) ? row : (row ?? other))?.[one.key] ?? null,
      ]),
    )
    const position = row ? positionOf(row, now) : positionOf(other!, before)
    const pair = month === undefined || isTotals ? undefined : pairAt(position, now, before)
    if (month !== undefined) cells[`${month}_compared`] = other?.[month] ?? pair?.compared ?? null
    if (pair?.isAlike === false) incomparableCount += 1
    for (const { key: name, type } of measures) {
      const isAdded = source.matter.columns[name]!.aggregation?.rows === 'sum'
      // why: a row that is missing in one period is 0 only in what adds up
      const [value, base] = [row, other].map(of =>
        of === undefined ? (isAdded ? 0 : null) : of[name]!,
      )
      const hasChange = value !== null && base !== null && pair?.isAlike !== false
      const change = hasChange ? exact(value!) - exact(base!) : undefined
      cells[`${name}_compared`] = other?.[name] ?? null
      cells[`${name}_change`] = change === undefined ? null : Number(change) / SCALE
      if (type !== 'percent')
        cells[`${name}_change_percent`] =
          change === undefined || !base ? null : percentOf(change, exact(base))
    }
    return cells
  }

  let incomparableCount = 0
  const others = new Map(before.rows.map(row => [keyOf(row, before), row]))
  const rows = now.rows.map(row => {
    const other = others.get(keyOf(row, now))
    others.delete(keyOf(row, now))
    return joined(row, other)
  })
  return {
    rows: [...rows, ...[...others.values()].map(other => joined(undefined, other))],
    totals: joined(now.totals, before.totals, true),
    incomparableCount,
    comparedOnlyCount: others.size,
  }
}

describe('the comparison of every report', () => {
  const { fetchBody } = productBodies()
  const fetchJson = async (code: string, query: string): Promise<Json> =>
    JSON.parse((await fetchBody(code, query)).toString())
  let comparedOnlyCount = 0
  let incomparableCount = 0

  it('is offered by reports of few rows that do not depend on today', () => {
    expect(COMPARABLE.map(({ code }) => code).join(' ')).to.equal(
      'deals_by_manager deals_by_source sales_funnel cash_flow cash_flow_by_month expenses_by_category income_by_category profit_by_project profit_loss requests_by_assignee requests_by_channel tasks_by_assignee tasks_by_month',
    )
  })

  for (const definition of COMPARABLE) {
    const { code } = definition
    it(`equals two requests: ${code}`, async () => {
      for (const [at, query] of QUERIES.entries()) {
        const { compare, ...json } = await fetchJson(code, query)
        const [now, before] = await Promise.all(
          [json, compare].map(({ period: { from, to } }) =>
            fetchJson(code, `from=${from}&to=${to}`),
          ),
        )
        expect(json, query).to.deep.equal(now)
        const expected = joinedRows(definition, now!, before!)
        const own = new Set(json.columns.map(column => column.key))
        const columns = [...json.columns, ...compare.columns.filter(column => !own.has(column.key))]
        const valuesOf = (row: Cells, of: readonly Column[] = columns): Value[] =>
          of.map(column => row[column.key] ?? null)
        const ofCompared = (row: Cells) => valuesOf(row, compare.columns)
        expect(compare.rows.map(ofCompared), query).to.deep.equal(expected.rows.map(ofCompared))
        expect(ofCompared(compare.totals), query).to.deep.equal(ofCompared(expected.totals))
        comparedOnlyCount += expected.comparedOnlyCount
        incomparableCount += expected.incomparableCount
        // why: most queries in JSON alone save half of the time
        if (at > 1) continue
        const values = expected.rows.map(row => valuesOf(row))
        for (const [format, suffix] of Object.entries(PATHS_OF_READERS)) {
          const body = await fetchBody(`${code}${suffix}`, query)
          expect(await READERS[format]!(body, columns), `${format} ${query}`).to.deep.equal(values)
        }
      }
    })
  }

  it('has rows that only the comparison period has, and months that are cut differently', () => {
    expect(comparedOnlyCount).to.be.greaterThan(20)
    expect(incomparableCount).to.be.greaterThan(5)
  })
})

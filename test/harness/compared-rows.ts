// Oracle of `?compare=`: joins the responses of two plain requests.
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import type { Period } from '../../src/model/terms.ts'

/** Numbers as decimal text. */
type Cells = Readonly<Record<string, string | null>>

export interface PlainReport {
  readonly period: Period
  readonly rows: readonly Cells[]
  readonly totals: Cells
}

export interface ComparedRow {
  readonly cells: Cells
  readonly isComparedOnly: boolean
}

const MEASURES = /^(?:integer|number|percent|money)$/
const SCALE = 6

/** A decimal in millionths. */
function exact(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (fraction.length > SCALE) throw new Error(`found ${text}, expected ${SCALE} decimals at most`)
  return BigInt(`${sign}${whole}${fraction.padEnd(SCALE, '0')}`)
}

function textOf(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  const sign = value < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`
}

/** The number without trailing zeros. */
function normalized(text: string | null): string | null {
  return text === null ? null : textOf(exact(text), SCALE)
}

/** In tenths of a percent, half of a tenth away from zero. */
function percentOf(change: bigint, base: bigint): string {
  const amount = base < 0n ? -base : base
  const tenths = ((change < 0n ? -change : change) * 2000n + amount) / (2n * amount)
  return textOf(change < 0n ? -tenths : tenths, 1)
}

/** @param isAdded a missing row is 0 */
function figures(
  key: string,
  type: string,
  isAdded: boolean,
  requested: Cells | undefined,
  compared: Cells | undefined,
): Cells {
  const valueOf = (cells: Cells | undefined): bigint | undefined => {
    if (cells === undefined) return isAdded ? 0n : undefined
    const text = cells[key] ?? null
    return text === null ? undefined : exact(text)
  }
  const [now, before] = [valueOf(requested), valueOf(compared)]
  const change = now === undefined || before === undefined ? undefined : now - before
  const base = compared === undefined ? undefined : before
  const all: Cells = {
    [`${key}_compared`]: normalized(compared?.[key] ?? null),
    [`${key}_change`]: change === undefined ? null : textOf(change, SCALE),
  }
  if (type === 'percent') return all
  const percent = change === undefined || !base ? null : percentOf(change, base)
  return { ...all, [`${key}_change_percent`]: percent }
}

export function measuresOf({ columns, key: keys, labelColumn }: ReportDefinition) {
  return columns.filter(
    ({ key, type }) => MEASURES.test(type) && !keys.includes(key) && key !== labelColumn,
  )
}

/** The rows in their order, those of the comparison period alone at the end, and the totals. */
export function comparedRows(
  definition: ReportDefinition,
  requested: PlainReport,
  compared: PlainReport,
): { readonly rows: readonly ComparedRow[]; readonly totals: Cells } {
  const { columns, key, source } = definition
  const measures = measuresOf(definition)
  const typeOf = (name: string) => columns.find(column => column.key === name)!.type
  const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
  const keyOf = (row: Cells, { start }: Period) =>
    JSON.stringify(
      key.map(name =>
        typeOf(name) === 'month' ? monthOf(row[name]!) - monthOf(start) : row[name],
      ),
    )
  function joined(ofRequested: Cells | undefined, ofCompared: Cells | undefined): Cells {
    const own = columns.map(({ key: name }) => {
      const isMeasure = measures.some(measure => measure.key === name)
      if (isMeasure) return [name, normalized(ofRequested?.[name] ?? null)]
      return [name, (ofRequested ?? ofCompared)?.[name] ?? null]
    })
    const added = measures.map(({ key: name, type }) => {
      const isAdded = source.matter.columns[name]!.aggregation?.rows === 'sum'
      return figures(name, type, isAdded, ofRequested, ofCompared)
    })
    return Object.assign(Object.fromEntries(own), ...added) as Cells
  }
  const counterparts = new Map(compared.rows.map(row => [keyOf(row, compared.period), row]))
  const matched = new Set<Cells>()
  const rows = requested.rows.map(row => {
    const counterpart = counterparts.get(keyOf(row, requested.period))
    if (counterpart !== undefined) matched.add(counterpart)
    return { cells: joined(row, counterpart), isComparedOnly: false }
  })
  const others = compared.rows.filter(row => !matched.has(row))
  return {
    rows: [
      ...rows,
      ...others.map(row => ({ cells: joined(undefined, row), isComparedOnly: true })),
    ],
    totals: joined(requested.totals, compared.totals),
  }
}

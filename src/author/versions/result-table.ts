/** A result as values to compare: each cell is its JSON in the API's response. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { Bindings } from '../../definitions/definition.ts'
import type { ColumnType, MetricFormat, Organization, RawField } from '../../model/terms.ts'
import { inCurrency } from '../../serve/report/report-request.ts'
import { createJsonField } from '../../serve/formats/json/json-field.ts'
import { inMinorUnits, splitTotals } from '../check/result-faults.ts'
import { isBug, type QueryResult } from '../check/session.ts'
import { preparedValue } from '../check/values.ts'

export interface ResultTable {
  readonly columns: readonly string[]
  /** Positions of the columns that identify a row; none without a key. */
  readonly key: readonly number[]
  readonly rows: ReadonlyArray<readonly string[]>
  /** Values that belong to no row, by name: totals and the summary, or metrics. */
  readonly others: ReadonlyMap<string, string>
  /** Whether it shows anything of the data. */
  readonly hasData: boolean
}

/** A value that has no form of its type is as PostgreSQL prints it. */
export function tableOf(
  version: AnyDefinition,
  { currency }: Pick<Organization, 'currency'>,
  bindings: Bindings,
  raw: QueryResult,
): ResultTable {
  const definition = inCurrency(version, currency, bindings.parameters)
  const result = inMinorUnits(definition, raw)
  const { timeZone } = bindings
  const cellOf = (name: string, type: ColumnType | MetricFormat) => {
    const at = result.fields.findIndex(field => field.name === name)
    const encode = createJsonField(name, type, timeZone)
    return (row: readonly RawField[]) => {
      const raw = row[at] ?? null
      return unlessWrong(() => encode(preparedValue(type, raw, timeZone))) ?? String(raw)
    }
  }
  if (!isReport(definition)) {
    const [row = []] = result.rows
    const others = new Map(
      definition.metrics.map(({ code, format }) => [code, cellOf(code, format)(row)]),
    )
    const hasData = [...others.values()].some(value => !/^(?:null|0)$/.test(value))
    return { columns: [], key: [], rows: [], others, hasData }
  }
  const { totals, rows } = splitTotals(result)
  const [total = []] = totals
  const cells = definition.columns.map(({ key, type }) => ({ key, cell: cellOf(key, type) }))
  const ofTotals = cells.filter(({ key }) => key !== definition.labelColumn)
  const others = new Map(ofTotals.map(({ key, cell }) => [`total of ${key}`, cell(total)]))
  const fields = new Map(result.fields.map(({ name }, at) => [name, total[at] ?? null]))
  const currencyOf = () => definition.currency
  const told = { ...bindings, fields, rowCount: rows.length, currencyOf }
  const summary = unlessWrong(() => definition.summarize(told))
  others.set('summary', JSON.stringify(summary ?? null))
  const columns = cells.map(({ key }) => key)
  return {
    columns,
    key: definition.key.map(one => columns.indexOf(one)),
    rows: rows.map(row => cells.map(({ cell }) => cell(row))),
    others,
    hasData: rows.length > 0,
  }
}

function unlessWrong(make: () => string): string | undefined {
  try {
    return make()
  } catch (error) {
    if (isBug(error)) throw error
    return undefined
  }
}

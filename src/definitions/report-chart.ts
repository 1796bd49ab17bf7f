/** Checks of the chart that a report declares. */
import type { ColumnType } from '../model/terms.ts'
import { columnNameFaults, type ReportField } from './report-fields.ts'
import type { ReportMatter } from './schemas.ts'
import { isNumeric } from './words.ts'

const TIMES: readonly ColumnType[] = ['date', 'month', 'datetime']

interface ChartFault {
  /** The key of the chart. */
  readonly path: string
  readonly message: string
}

export function chartFaults(
  { chart, columns, key = [] }: ReportMatter,
  fields: readonly ReportField[],
): ChartFault[] {
  if (chart === undefined) return []
  const { kind, measures, label, order } = chart
  const faults: ChartFault[] = []
  const found = (path: string, message: string) => faults.push({ path, message })
  for (const message of columnNameFaults(measures, fields)) found('measures', message)
  for (const message of columnNameFaults([label], fields)) found('label', message)
  if (faults.length > 0) return faults
  const scaleOf = (name: string): string => {
    const { type, unit } = columns[name]!
    return unit === undefined ? type : `${type} (${unit})`
  }
  for (const name of measures) {
    if (!isNumeric(columns[name]!.type) || key.includes(name))
      found('measures', `column "${name}" is no measure, expected a number that is not in the key`)
  }
  const scales = new Set(measures.map(scaleOf))
  if (scales.size > 1)
    found('measures', `found ${[...scales].join(' and ')}, expected one type and unit: one axis`)
  const isOverTime = kind !== 'bars'
  const isTime = (name: string): boolean => TIMES.some(type => type === columns[name]?.type)
  if (isOverTime && !isTime(label))
    found('label', `found a column of type ${columns[label]!.type}, expected ${TIMES.join(', ')}`)
  if (isOverTime && order !== undefined)
    found('order', `${kind} have the order of time, expected no order`)
  // why: several rows have the same time, and are drawn as one
  const lacksSum = measures.find(name => columns[name]!.aggregation?.rows !== 'sum')
  if (isOverTime && !key.some(isTime) && lacksSum !== undefined)
    found(
      'label',
      `no time is in the key, so rows are added up by "${label}", and "${lacksSum}" has no aggregation { rows: sum }`,
    )
  return faults
}

/** What a column of a report is: a label, a dimension or a measure. */
import type { Column, ColumnType } from '../model/terms.ts'
import type { ReportDefinition } from './definition.ts'

export type ColumnRole = 'label' | 'dimension' | 'measure'

const MEASURES: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'percent', 'money'])

export function roleOf(
  { key: keys, labelColumn }: Pick<ReportDefinition, 'key' | 'labelColumn'>,
  { key, type }: Column,
): ColumnRole {
  if (key === labelColumn) return 'label'
  return keys.includes(key) || !MEASURES.has(type) ? 'dimension' : 'measure'
}

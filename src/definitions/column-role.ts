/** What a column of a report is: a label, a dimension or a measure. */
import type { Column } from '../model/terms.ts'
import type { ReportDefinition } from './definition.ts'
import { isNumeric } from './words.ts'

export type ColumnRole = 'label' | 'dimension' | 'measure'

export function roleOf(
  { key: keys, labelColumn }: Pick<ReportDefinition, 'key' | 'labelColumn'>,
  { key, type }: Column,
): ColumnRole {
  if (key === labelColumn) return 'label'
  return keys.includes(key) || !isNumeric(type) ? 'dimension' : 'measure'
}

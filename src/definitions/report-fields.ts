/** The columns and facts of a report as one list, for its rules, totals and summary. */
import { suggest } from '../model/spelling.ts'
import type { ColumnType } from '../model/terms.ts'
import type { ReportMatter } from './schemas.ts'

export interface ReportField {
  readonly section: 'columns' | 'facts'
  readonly name: string
  readonly type: ColumnType
  readonly total?: string | undefined
  /** `label` is the first visible text column: it contains the label of the totals. */
  readonly role: 'label' | 'column' | 'hidden' | 'fact'
}

export function fieldsOf({ columns, facts = {} }: ReportMatter): ReportField[] {
  const all = Object.entries(columns)
  const [label] = all.find(([, { type, hidden }]) => type === 'text' && hidden !== true) ?? []
  return [
    ...all.map(([name, { type, total, hidden }]): ReportField => {
      const role = hidden === true ? 'hidden' : name === label ? 'label' : 'column'
      return { section: 'columns', name, type, total, role }
    }),
    ...Object.entries(facts).map(([name, { type, total }]): ReportField => ({
      section: 'facts',
      name,
      type,
      total,
      role: 'fact',
    })),
  ]
}

/** Whether it is a column of the response. */
export function isVisible({ role }: ReportField): boolean {
  return role === 'label' || role === 'column'
}

/** What is wrong with names that should be visible columns. */
export function columnNameFaults(
  names: readonly string[],
  fields: readonly ReportField[],
): string[] {
  const visible = fields.filter(isVisible).map(({ name }) => name)
  return names
    .filter(name => !visible.includes(name))
    .map(name => {
      const hidden = fields.find(field => field.name === name && field.role === 'hidden')
      if (hidden === undefined) return `no column "${name}", ${suggest(name, visible)}`
      const cure =
        hidden.total === undefined
          ? '"total: none" in place of "hidden: true"'
          : 'it without "hidden: true"'
      return `column "${name}" is hidden, expected a visible one: ${cure}`
    })
}

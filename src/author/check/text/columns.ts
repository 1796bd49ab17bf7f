/** The statement's columns against the declared ones, as text tells them: for definitions that no database is asked about. */
import type { Finding } from '../../../definitions/findings.ts'
import type { ReportMatter } from '../../../definitions/schemas.ts'
import { suggest } from '../../../definitions/spelling.ts'
import { TOTALS_COLUMNS } from '../../../definitions/totals.ts'
import type { Draft, TextRule } from './draft.ts'
import { callsIn, columnOf } from './expressions.ts'
import { firstSelect } from './queries.ts'

/** Columns that are declared and not selected, and the other way round. */
export const selectedColumns: TextRule = draft => {
  const items = firstSelect(draft.query)?.items ?? []
  const selected = items.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const declared = declaredBy(draft)
  // why: what is not named here is named by PostgreSQL alone
  if (declared === undefined || selected.length < items.length || selected.includes('*')) return []
  const known = new Set<string>([...declared.keys(), ...TOTALS_COLUMNS])
  const findings: Finding[] = []
  for (const [name, path] of declared) {
    if (selected.includes(name)) continue
    const others = selected.filter(other => !known.has(other))
    const message = `${path.join('.')}: the statement selects no "${name}", ${suggest(name, others.length > 0 ? others : selected)}`
    findings.push({ line: draft.lineOf(path), message })
  }
  items.forEach(({ name = '', line }, at) => {
    if (selected.indexOf(name) < at) {
      findings.push({ line, message: `"${name}" is selected twice, expected each column once` })
    } else if (!known.has(name)) {
      findings.push({
        line,
        message: `"${name}" is selected and not declared, expected it among the columns, or hidden`,
      })
    }
  })
  return findings
}

/** Loading has said that those with a total are of another kind. */
function factsSelected({ facts = {} }: ReportMatter): object {
  return Object.fromEntries(Object.entries(facts).filter(([, { total }]) => total === undefined))
}

function paths(group: string, keys: object = {}): Array<[string, string[]]> {
  return Object.keys(keys).map(name => [name, [group, name]])
}

function declaredBy({ report, metrics, bringsTotals }: Draft): Map<string, string[]> | undefined {
  if (metrics !== undefined) return new Map(paths('metrics', metrics.metrics))
  if (report === undefined) return undefined
  return new Map([
    ...paths('columns', report.columns),
    ...(bringsTotals ? paths('facts', factsSelected(report)) : []),
  ])
}

/** A plain aggregate of a column that is not there. */
export const totalsOfColumns: TextRule = ({ report, totals }) => {
  const columns = Object.keys(report?.columns ?? {})
  return totals.flatMap(({ nodes, line }) =>
    callsIn(nodes, 'sum', 'avg', 'min', 'max', 'count').flatMap(
      ({ name, args: [argument = []] }) => {
        const column = columnOf(argument)
        if (column === undefined || column.qualifier !== undefined || columns.includes(column.name))
          return []
        return [
          {
            line,
            message: `${name}(${column.name}) is of no column, ${suggest(column.name, columns)}`,
          },
        ]
      },
    ),
  )
}

/** What a report's front matter must be beyond its schema. */
import { PLACEHOLDERS } from './definition.ts'
import type { Finding } from './findings.ts'
import type { MatterPath } from './front-matter.ts'
import { lex, significant } from './lexer.ts'
import { checkTokens } from './rules.ts'
import { DEFAULTS, type ReportMatter } from './schemas.ts'
import { checkCommon, NAME, NAME_EXPECTED } from './source-file.ts'
import { suggest } from './spelling.ts'
import { isBuiltIn } from './summary-arguments.ts'
import { compileSummary } from './summary.ts'
import { NO_TOTAL, TOTALS_COLUMNS } from './totals.ts'

type LineOf = (path: MatterPath) => number

/** @param ownTotals whether the statement delivers its totals row itself */
export function checkReport(matter: ReportMatter, lineOf: LineOf, ownTotals: boolean): Finding[] {
  return [
    ...checkNames(matter, lineOf),
    ...checkKey(matter, lineOf),
    ...checkTotals(matter, lineOf, ownTotals),
    ...checkSummaries(matter, lineOf, ownTotals),
    ...checkCommon(matter, lineOf),
  ]
}

function checkNames({ columns, facts = {} }: ReportMatter, lineOf: LineOf): Finding[] {
  const names = [
    ...Object.entries(columns).map(([name, column]) => ({
      name,
      path: ['columns', name],
      visible: column.hidden !== true,
    })),
    ...Object.keys(facts).map(name => ({ name, path: ['facts', name], visible: false })),
  ]
  const findings = names.flatMap(({ name, path, visible }) => {
    const message = nameProblem(name, visible)
    return message === undefined
      ? []
      : [{ line: lineOf(path), message: `${path.join('.')}: ${message}` }]
  })
  for (const name of Object.keys(facts)) {
    const holder = Object.hasOwn(columns, name) ? 'there is a column' : 'every summary has a'
    if (!Object.hasOwn(columns, name) && !isBuiltIn(name)) continue
    const message = `facts.${name}: ${holder} "${name}", expected another name`
    findings.push({ line: lineOf(['facts', name]), message })
  }
  return findings
}

function nameProblem(name: string, visible: boolean): string | undefined {
  if (!NAME.test(name)) return `bad name "${name}", ${NAME_EXPECTED}`
  if (TOTALS_COLUMNS.some(column => column === name)) {
    return `"${name}" belongs to the totals row, expected another name`
  }
  const paging = name.startsWith('next') || name === 'pages' || name === '_end'
  if (!visible || !paging) return undefined
  return `loaders take "${name}" for paging, expected a name other than next..., pages and _end`
}

function checkKey({ key = [], columns }: ReportMatter, lineOf: LineOf): Finding[] {
  const visible = Object.keys(columns).filter(name => columns[name]?.hidden !== true)
  return key.flatMap((name, index) => {
    if (visible.includes(name)) return []
    const line = lineOf(['key', index])
    const isHidden = Object.hasOwn(columns, name)
    if (isHidden)
      return [{ line, message: `key: column "${name}" is hidden, expected a visible one` }]
    return [{ line, message: `key: no column "${name}", ${suggest(name, visible)}` }]
  })
}

function checkTotals(matter: ReportMatter, lineOf: LineOf, ownTotals: boolean): Finding[] {
  const columns = Object.entries(matter.columns)
  const label = labelOf(matter)
  const findings: Finding[] = []
  if (label === undefined) {
    const message = "columns: no visible column of type text, expected one for the totals' label"
    findings.push({ line: lineOf(['columns']), message })
  }
  const check = (path: string[], total: string | undefined, role: Role) => {
    const at = total === undefined ? path : [...path, 'total']
    for (const message of totalProblems(total, role, ownTotals)) {
      findings.push({ line: lineOf(at), message: `${at.join('.')}: ${message}` })
    }
  }
  for (const [name, { total, hidden }] of columns) {
    const role = name === label ? 'label' : hidden === true ? 'hidden' : 'column'
    check(['columns', name], total, role)
  }
  for (const [name, { total }] of Object.entries(matter.facts ?? {})) {
    check(['facts', name], total, 'fact')
  }
  return findings
}

type Role = 'label' | 'column' | 'hidden' | 'fact'

function totalProblems(total: string | undefined, role: Role, ownTotals: boolean): string[] {
  if (total === undefined) {
    if (ownTotals || role === 'label' || role === 'hidden') return []
    return [`no total, expected an aggregate${role === 'fact' ? '' : ` or ${NO_TOTAL}`}`]
  }
  if (ownTotals) return ['the statement selects is_total, expected one kind of totals in a file']
  if (role === 'label') return ["this column carries the totals' label, expected no total"]
  if (total !== NO_TOTAL) return aggregateProblems(total)
  return role === 'fact' ? [`found ${NO_TOTAL}, expected an aggregate`] : []
}

/** A total becomes part of the statement, where a comment or a semicolon would cut off the rest. */
function aggregateProblems(total: string): string[] {
  const tokens = lex(total)
  const rules = { placeholders: PLACEHOLDERS, clock: false }
  const messages = checkTokens(significant(tokens), rules).map(({ message }) => message)
  if (tokens.some(({ kind, text }) => kind === 'comment' || text === ';')) {
    messages.push('a comment or a semicolon, expected an aggregate alone')
  }
  return messages
}

function checkSummaries(matter: ReportMatter, lineOf: LineOf, ownTotals: boolean): Finding[] {
  const all = [...Object.entries(matter.columns), ...Object.entries(matter.facts ?? {})]
  const types = new Map(all.map(([name, { type }]) => [name, type]))
  const findings: Finding[] = []
  const texts = { summary: matter.summary, emptySummary: matter.emptySummary }
  for (const [key, text = DEFAULTS.emptySummary] of Object.entries(texts)) {
    const { findings: messages, names } = compileSummary(text, types)
    const find = (message: string) =>
      findings.push({ line: lineOf([key]), message: `${key}: ${message}` })
    messages.forEach(find)
    for (const name of names) {
      if (lacksTotal(matter, name, ownTotals)) {
        find(`{${name}} has no total to print, expected a column that has one, or a fact`)
      }
    }
    const figures = [...names].filter(name => name === 'row_count' || !isBuiltIn(name))
    if (key === 'summary' && messages.length === 0 && figures.length === 0) {
      find('names no column, expected at least one figure, such as {row_count}')
    }
  }
  return findings
}

function lacksTotal(matter: ReportMatter, name: string, ownTotals: boolean): boolean {
  if (isBuiltIn(name)) return false
  const column = Object.hasOwn(matter.columns, name) ? matter.columns[name] : undefined
  if (ownTotals || column === undefined) return false
  // why: that a visible column has no total has been said of the column
  const isSaid = column.hidden !== true && column.total === undefined && name !== labelOf(matter)
  return !isSaid && (column.total ?? NO_TOTAL) === NO_TOTAL
}

/** The column that carries the totals' label. */
function labelOf({ columns }: ReportMatter): string | undefined {
  const visible = Object.entries(columns).filter(([, { hidden }]) => hidden !== true)
  return visible.find(([, { type }]) => type === 'text')?.[0]
}

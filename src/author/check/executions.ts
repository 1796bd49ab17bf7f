/** Executes a definition as the gateway does, for several organizations and periods, and checks every row. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { faultsIn, splitTotals } from './result-faults.ts'
import { isNaming } from './row-identity.ts'
import { OF_EXECUTION } from './evidence.ts'
import type { Kind, KindFinding } from './kinds.ts'
import type { Fault, Question } from './questions.ts'
import { isRefusal, orRefusal, QUERY_CANCELED, type QueryResult, type Refusal } from './session.ts'
import { faultOf } from '../../serve/start/fault.ts'
import { queryOf, type PreparedSubject } from './subject.ts'

export interface Executions {
  /** By the kind of fault: `timeout`, `refused`, `ties`, `key` and others. */
  readonly faults: ReadonlyMap<string, KindFinding>
  /** Whether a row has a figure other than 0. */
  readonly hasRows: boolean
  readonly results: ReadonlyMap<Question, QueryResult>
}

export async function checkExecutions(
  subject: PreparedSubject,
  questions: readonly Question[],
): Promise<Executions> {
  const faults = new Map<string, KindFinding>()
  const results = new Map<Question, QueryResult>()
  let hasRows = false
  for (const question of questions) {
    // why: a statement that exceeds its timeout does so for every period
    if (faults.has('timeout')) break
    const result = await orRefusal(subject.session.query(queryOf(subject, question)))
    for (const { kind, ...finding } of faultsOfExecution(subject, question, result))
      if (!faults.has(kind)) faults.set(kind, finding)
    if (isRefusal(result)) continue
    hasRows ||= hasFigures(subject.definition, result)
    results.set(question, result)
  }
  return { faults, hasRows, results }
}

export function faultsOfExecution(
  subject: PreparedSubject,
  question: Question,
  result: QueryResult | Refusal,
): Array<Fault & KindFinding> {
  const found = isRefusal(result)
    ? [refusalOf(subject, question, result)]
    : faultsIn(subject, question, result)
  return Array.from(found, fault => {
    const { id, level } = KINDS[fault.kind] ?? OF_EXECUTION.value
    return { ...fault, id, level }
  })
}

/** By the kind of fault; the others are values. */
const KINDS: Readonly<Record<string, Kind>> = {
  timeout: OF_EXECUTION.timeout,
  refused: OF_EXECUTION.execution,
  label: OF_EXECUTION.label,
  maxRows: OF_EXECUTION.maxRows,
  'totals rows': OF_EXECUTION.oneRow,
  row_count: OF_EXECUTION.oneRow,
  rows: OF_EXECUTION.oneRow,
  'null key': OF_EXECUTION.key,
  key: OF_EXECUTION.key,
  ties: OF_EXECUTION.order,
  summary: OF_EXECUTION.summary,
  emptySummary: OF_EXECUTION.summary,
}

/** Generated days or months are rows even if the tables are empty, so only rows with figures count. */
function hasFigures(definition: AnyDefinition, result: QueryResult): boolean {
  const names = isReport(definition)
    ? definition.columns.flatMap(({ key, type }) => (isNaming(type) ? [] : [key]))
    : definition.metrics.map(({ code }) => code)
  const columnIndexes = result.fields.flatMap(({ name }, at) => (names.includes(name) ? [at] : []))
  return splitTotals(result).rows.some(
    row => columnIndexes.length === 0 || columnIndexes.some(at => /[1-9]/.test(row[at] ?? '')),
  )
}

function refusalOf(
  { definition, idType }: PreparedSubject,
  { label }: Question,
  error: Refusal,
): Fault {
  const { line = definition.source.firstLine, message } = faultOf(error, definition, idType)
  const kind = error.code === QUERY_CANCELED ? 'timeout' : 'refused'
  return { kind, line, message: `${message} (${label})` }
}

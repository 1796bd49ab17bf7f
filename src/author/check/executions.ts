/** Executes a definition as the gateway does, for several organizations and periods, and checks every row. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { faultsIn, splitTotals } from './result-faults.ts'
import { figuresOf } from './experiments/figures.ts'
import { findingsOfKind } from './evidence.ts'
import type { KindFinding } from './kinds.ts'
import type { Question } from './questions.ts'
import { isRefusal, orRefusal, QUERY_CANCELED, type QueryResult, type Refusal } from './session.ts'
import { faultOf } from '../../serve/start/fault.ts'
import { queryOf, type Subject } from './subject.ts'

export interface Executions {
  /** The first of each kind and line. */
  readonly faults: readonly KindFinding[]
  /** Whether a row has a figure other than 0. */
  readonly hasRows: boolean
  readonly results: ReadonlyMap<Question, QueryResult>
}

export async function checkExecutions(
  subject: Subject,
  questions: readonly Question[],
): Promise<Executions> {
  const faults = new Map<string, KindFinding>()
  const results = new Map<Question, QueryResult>()
  let hasRows = false
  for (const question of questions) {
    const result = await orRefusal(subject.session.query(queryOf(subject, question)))
    const found = faultsOfExecution(subject, question, result)
    for (const one of found) {
      const key = `${one.id} ${one.line}`
      faults.set(key, faults.get(key) ?? one)
    }
    // why: a statement that exceeds its timeout does so for every period
    if (found.some(({ id }) => id === 'timeout')) break
    if (isRefusal(result)) continue
    hasRows ||= hasFigures(subject.definition, result)
    results.set(question, result)
  }
  return { faults: [...faults.values()], hasRows, results }
}

export function faultsOfExecution(
  subject: Subject,
  question: Question,
  result: QueryResult | Refusal,
): readonly KindFinding[] {
  if (!isRefusal(result)) return faultsIn(subject, question, result)
  const { definition, idType } = subject
  const { line = definition.source.firstLine, message } = faultOf(result, definition, idType)
  const kind = result.code === QUERY_CANCELED ? 'timeout' : 'execution'
  return findingsOfKind(kind, [{ line, message: `${message} (${question.label})` }])
}

/** Generated days or months are rows even if the tables are empty, so only rows with figures count, if there are any. */
function hasFigures(definition: AnyDefinition, result: QueryResult): boolean {
  const all = [...figuresOf(definition, result).values()]
  const figures = all.filter(({ column }) => column !== 'row_count')
  if (figures.length === 0) return splitTotals(result).rows.length > 0
  return figures.some(({ value }) => value !== 0)
}

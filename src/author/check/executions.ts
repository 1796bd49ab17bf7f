/** Executes a definition as the gateway does, for several organizations and periods, and checks every row. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { lineOfPosition } from '../../definitions/source-lines.ts'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { lineAt } from '../../definitions/sql/text-positions.ts'
import { numberOf, withoutCasts } from '../sql/expressions.ts'
import { faultsIn, splitTotals } from './result-faults.ts'
import { isNaming } from './row-identity.ts'
import { OF_EXECUTION } from './evidence.ts'
import type { Kind, KindFinding } from './kinds.ts'
import type { Fault, Question } from './questions.ts'
import type { Draft } from './rules/draft.ts'
import { isRefusal, orRefusal, QUERY_CANCELED, type QueryResult, type Refusal } from './session.ts'
import { queryOf, statementOver, type PreparedSubject } from './subject.ts'

export interface Executions {
  /** By the kind of fault: `timeout`, `refused`, `ties`, `key` and others. */
  readonly faults: ReadonlyMap<string, KindFinding>
  /** Whether a row has a figure other than 0. */
  readonly hasRows: boolean
}

export async function checkExecutions(
  subject: PreparedSubject,
  questions: readonly Question[],
): Promise<Executions> {
  const faults = new Map<string, KindFinding>()
  let hasRows = false
  for (const question of questions) {
    // why: a statement that exceeds its timeout does so for every period
    if (faults.has('timeout')) break
    const result = await orRefusal(subject.session.query(queryOf(subject, question)))
    const found = isRefusal(result)
      ? [await faultOf(subject, question, result)]
      : faultsIn(subject, question, result)
    for (const { kind, ...finding } of found) {
      const { id, level } = KINDS[kind] ?? OF_EXECUTION.value
      if (!faults.has(kind)) faults.set(kind, { ...finding, id, level })
    }
    if (!isRefusal(result)) hasRows ||= hasFigures(subject.definition, result)
  }
  return { faults, hasRows }
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

async function faultOf(
  subject: PreparedSubject,
  question: Question,
  error: Refusal,
): Promise<Fault> {
  const { definition, session, draft, statement, hasTotals, idType } = subject
  const { source, timeoutMs } = definition
  const { label } = question
  if (error.code === QUERY_CANCELED) {
    const { maxTimeoutMs } = session
    const declared = source.matter.timeout ?? `${timeoutMs / 1000}s`
    const limit = maxTimeoutMs < timeoutMs ? `${maxTimeoutMs} ms, the role's own` : declared
    const message = `exceeded its timeout (${label}), expected a result within ${limit}`
    return { kind: 'timeout', line: source.lineOf(['timeout']), message }
  }
  if (hasTotals && source.totals.size > 0) {
    const plain = statementOver({ definition, hasTotals: false }, subject.rowsOf)
    const query = queryOf(subject, question, plain)
    if (!isRefusal(await orRefusal(session.query(query)))) {
      const message = `a total fails: ${error.message} (${label}), expected totals that work for every organization`
      return { kind: 'refused', line: source.lineOf(['columns']), message }
    }
  }
  const isDivision = error.code === DIVISION_BY_ZERO
  const line =
    error.position === undefined
      ? ((isDivision ? lineOfDivision(draft) : undefined) ?? source.firstLine)
      : lineOfPosition({ source, statement }, idType, Number(error.position))
  const cause = isDivision ? 'a division by zero' : error.message
  const message = `${cause} (${label}), expected a result for every organization`
  return { kind: 'refused', line, message }
}

const DIVISION_BY_ZERO = '22012'

/** PostgreSQL gives no position for errors at execution. If only one division can fail, that is the one. */
function lineOfDivision({ statement, text }: Draft): number | undefined {
  const suspects = nodesOf(statement.root, 'A_Expr').filter(({ kind, name, rexpr }) => {
    const divisor = withoutCasts(rexpr)
    const isSafe =
      as(divisor, 'A_Expr')?.kind === 'AEXPR_NULLIF' || Number(numberOf(divisor) ?? 0) !== 0
    return kind === 'AEXPR_OP' && ['/', '%'].includes(namesOf(name).at(-1) ?? '') && !isSafe
  })
  const [only] = suspects
  return only === undefined || suspects.length > 1 ? undefined : lineAt(text, only.location ?? 0)
}

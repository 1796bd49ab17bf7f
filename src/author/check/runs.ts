/** Runs a definition as the gateway does, over several periods for several organizations, and looks at every row. */
import { isReport } from '../../definitions/any-definition.ts'
import type { Finding } from '../../definitions/findings.ts'
import { isWord, lex, significant } from '../../definitions/lexer.ts'
import type { RawField } from '../../model/terms.ts'
import { createMetricsReader, createReportReader } from './answers.ts'
import { createFirsts, type Firsts } from './firsts.ts'
import type { Question } from './questions.ts'
import { isRefusal, unlessRefused, type Refusal } from './session.ts'
import { asked, refused, type Prepared } from './subject.ts'
import type { Written } from './written.ts'

export interface Runs {
  readonly findings: readonly Finding[]
  /** What took too long once is not asked again. */
  readonly timedOut: boolean
  /** Whether rows were seen to tie. */
  readonly ties: boolean
  /** Whether rows were seen to have one key. */
  readonly sharesKeys: boolean
}

const QUERY_CANCELED = '57014'

export async function checkRuns(subject: Prepared, questions: readonly Question[]): Promise<Runs> {
  const found = createFirsts()
  for (const question of questions) {
    // why: what has run out of its time would do so for every period
    if (found.has('timeout')) break
    try {
      await runOnce(subject, question, found)
    } catch (error) {
      if (!isRefusal(error)) throw error
      await explainRefusal(subject, question, error, found)
    }
  }
  return {
    findings: found.all(),
    timedOut: found.has('timeout'),
    ties: found.has('ties'),
    sharesKeys: found.has('key'),
  }
}

async function runOnce(subject: Prepared, question: Question, firsts: Firsts): Promise<void> {
  const { definition } = subject
  const reader = isReport(definition)
    ? createReportReader(definition, subject, question, firsts)
    : createMetricsReader(definition, subject, question, firsts)
  await subject.session.read(asked(subject, question), {
    begin: fields => reader.begin(fields),
    row: (values: readonly RawField[]) => reader.row(values),
  })
  reader.end()
}

async function explainRefusal(
  subject: Prepared,
  question: Question,
  error: Refusal,
  { add }: Firsts,
): Promise<void> {
  const { definition, session, written, statement, idType } = subject
  const { source } = definition
  if (error.code === QUERY_CANCELED) {
    const own = source.matter.timeout ?? `${definition.timeoutMs / 1000}s`
    const limit =
      session.mostMs < definition.timeoutMs ? `${session.mostMs} ms, the role's own` : own
    const message = `ran out of its time (${question.said}), expected an answer within ${limit}`
    add('timeout', source.lineOf(['timeout']), message)
    return
  }
  const own = { ...asked(subject, question), ...bound(subject, question) }
  const isTotals =
    statement !== source.statement && (await unlessRefused(session.answer(own))) !== undefined
  if (isTotals) {
    const message = `a total fails: ${error.message} (${question.said}), expected totals that can be worked out for everybody`
    add('refused', source.lineOf(['columns']), message)
    return
  }
  const { line } = refused(subject, error, statement.text(idType), 0)
  const division = error.position === undefined ? lineOfDivision(error, written) : undefined
  const what = error.code === DIVISION_BY_ZERO ? 'a division by zero' : error.message
  const message = `${what} (${question.said}), expected an answer for everybody`
  add('refused', division ?? line, message)
}

function bound({ definition, idType }: Prepared, { bindings }: Question) {
  const { statement } = definition.source
  return { text: statement.text(idType), values: statement.values(bindings) }
}

const DIVISION_BY_ZERO = '22012'

/** Of errors at run PostgreSQL tells no place; where there is one division that may fail, that is it. */
function lineOfDivision({ code }: Refusal, { sql, firstLine }: Written): number | undefined {
  if (code !== DIVISION_BY_ZERO) return undefined
  const tokens = significant(lex(sql))
  const suspects = tokens.filter(({ kind, text }, at) => {
    const divisor = tokens.slice(at + 1).find(token => token.text !== '(')
    const isSafe =
      isWord(divisor, 'nullif') || (divisor?.kind === 'number' && Number(divisor.text) !== 0)
    return kind === 'operator' && (text === '/' || text === '%') && !isSafe
  })
  const [only] = suspects
  if (only === undefined || suspects.length > 1) return undefined
  return firstLine + only.line - 1
}

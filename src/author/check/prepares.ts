/** Whether PostgreSQL can plan a definition: first the statement as written, then each total over it. */
import { isReport } from '../../definitions/any-definition.ts'
import type { SqlPieces } from '../../definitions/sql/sql-pieces.ts'
import { compileStatement } from '../../definitions/statement.ts'
import type { Statement } from '../../definitions/definition.ts'
import type { FileFinding, Finding } from '../../definitions/findings.ts'
import { faultOf, refusedWords } from '../../serve/start/fault.ts'
import type { Question } from './questions.ts'
import { isRefusal, type TypedField } from './session.ts'
import type { Subject } from './subject.ts'
import { fitsType, losesFraction, typesFor } from '../../serve/report/result-columns.ts'

/** Planning only; nothing is executed. */
const TIMEOUT_MS = 10_000

/** @throws Refusal */
function describe(
  { idType, session }: Subject,
  { bindings }: Question,
  statement: Statement,
): Promise<readonly TypedField[]> {
  const values = statement.values(bindings)
  return session.describe({ text: statement.text(idType), values, timeoutMs: TIMEOUT_MS })
}

/** The columns of the statement, or the finding if it does not prepare. */
export async function describeSubject(
  subject: Subject,
  question: Question,
): Promise<readonly TypedField[] | FileFinding> {
  const { definition, idType } = subject
  const { statement } = definition.source
  try {
    return await describe(subject, question, statement)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return faultOf(error, { ...definition, statement }, idType)
  }
}

/** @param selected the columns of the statement; missing ones are already reported */
export async function checkTotals(
  subject: Subject,
  question: Question,
  selected: ReadonlySet<string>,
): Promise<Finding[]> {
  const { definition } = subject
  if (!isReport(definition) || definition.source.returnsTotals) return []
  const { matter, totals, lineOf } = definition.source
  const findings: Finding[] = []
  const overReport = (select: SqlPieces) => {
    const pieces = [
      'with report as materialized (\n',
      ...definition.source.statement.pieces,
      '\n)\nselect ',
      ...select,
    ]
    return describe(subject, question, compileStatement(pieces, definition.parameters))
  }
  const declared = Array.from(totals, ([name, total]) => {
    const column = matter.columns[name]
    const { type } = column ?? matter.facts?.[name] ?? {}
    // why: the gateway adds visible totals to the rows by `union all`, so their types must match
    const isVisible = column !== undefined && column.hidden !== true
    return { name, total, type, isVisible, isUnited: isVisible && selected.has(name) }
  })
  for (const { name, total, type, isVisible, isUnited } of declared) {
    const path = [Object.hasOwn(matter.columns, name) ? 'columns' : 'facts', name, 'total']
    const addFinding = (message: string) =>
      findings.push({ line: lineOf(path), message: `${path.join('.')}: ${message}` })
    try {
      // why: next to count(*), PostgreSQL rejects ungrouped columns, as in the gateway's totals row
      const [field] = await overReport([...total, ` as "${name}", count(*) from report`])
      if (field === undefined || type === undefined) continue
      const { typeId, typeName } = field
      if (type === 'percent' && losesFraction(typeId)) addFinding(lostFraction(typeName))
      else if (!isVisible && !fitsType(typeId, type))
        addFinding(`found ${typeName}, expected ${typesFor(type)} for ${type}`)
      else if (isUnited)
        await overReport([
          ...total,
          `, count(*) from report union all select "${name}", 0 from report`,
        ])
    } catch (error) {
      if (!isRefusal(error)) throw error
      // why: a declared column that is not selected is reported at its declaration
      const missing = /^column "([^"]+)" does not exist/.exec(error.message)?.[1] ?? ''
      if (Object.hasOwn(matter.columns, missing) && !selected.has(missing)) continue
      addFinding(refusedWords(error, "an aggregate over the report's columns"))
    }
  }
  return findings
}

export function lostFraction(found: string): string {
  return `found ${found} for percent, expected numeric: a division of integers loses its fraction`
}

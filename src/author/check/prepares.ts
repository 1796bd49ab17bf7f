/** Whether PostgreSQL can plan a definition: the statement as it is written, then each total that is made over it. */
import { isReport } from '../../definitions/any-definition.ts'
import { compileStatement } from '../../definitions/statement.ts'
import type { Finding } from '../../definitions/findings.ts'
import type { MatterPath } from '../../definitions/front-matter.ts'
import { hasTotal } from '../../definitions/totals.ts'
import { fitsType, losesFraction, typesFor } from '../../serve/replica/column-types.ts'
import { refusedWords } from '../../serve/replica/fault.ts'
import type { Field } from '../../serve/replica/prepared.ts'
import type { ColumnType } from '../../model/terms.ts'
import type { Question } from './questions.ts'
import { DESCRIBE_HEAD, isRefusal, unlessRefused, type Asked } from './session.ts'
import { refused, type Subject } from './subject.ts'

/** Planning is all that is waited for. */
const TIMEOUT_MS = 10_000

/** The columns of the statement, or why there are none. */
export async function describeStatement(
  subject: Subject,
  { bindings }: Question,
): Promise<{ readonly fields: readonly Field[] } | { readonly finding: Finding }> {
  const { definition, idType, session } = subject
  const { statement } = definition.source
  const text = statement.text(idType)
  try {
    const values = statement.values(bindings)
    return { fields: await session.describe({ text, values, timeoutMs: TIMEOUT_MS }) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { finding: refused(subject, error, text, DESCRIBE_HEAD.length) }
  }
}

/** Whether the gateway's own text, with its totals, prepares. */
export async function isWholeUsable(subject: Subject, { bindings }: Question): Promise<boolean> {
  const { definition, idType, session } = subject
  const { statement } = definition
  const asked = { text: statement.text(idType), values: statement.values(bindings) }
  return (await unlessRefused(session.describe({ ...asked, timeoutMs: TIMEOUT_MS }))) !== undefined
}

interface Total {
  readonly name: string
  readonly type: ColumnType
  readonly total: string
  readonly path: MatterPath
  /** Whether its column is in the answer, so that the rows' type must agree with it. */
  readonly isVisible: boolean
}

function totalsOf({ definition }: Subject): Total[] {
  if (!isReport(definition) || definition.source.bringsTotals) return []
  const { columns, facts = {} } = definition.source.matter
  const ofColumns = Object.entries(columns).flatMap(([name, { type, total, hidden }]) => {
    if (!hasTotal(total)) return []
    return [{ name, type, total, path: ['columns', name, 'total'], isVisible: hidden !== true }]
  })
  const ofFacts = Object.entries(facts).flatMap(([name, { type, total }]) => {
    return total === undefined
      ? []
      : [{ name, type, total, path: ['facts', name, 'total'], isVisible: false }]
  })
  return [...ofColumns, ...ofFacts]
}

/** @param selected the columns of the statement: a total of one that is missing is an echo */
export async function checkTotals(
  subject: Subject,
  question: Question,
  selected: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const totals = totalsOf(subject)
  const all = await unlessRefused(describeTotals(subject, question, totals))
  for (const [place, total] of totals.entries()) {
    const line = subject.definition.source.lineOf(total.path)
    const find = (message: string) =>
      findings.push({ line, message: `${total.path.join('.')}: ${message}` })
    try {
      const field = all?.[place] ?? (await describeTotals(subject, question, [total]))[0]
      if (field === undefined) continue
      const type = await typeMessage(subject, total, field.typeId)
      if (type !== undefined) find(type)
      else if (total.isVisible && selected.has(total.name)) await unite(subject, question, total)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (isEcho(error.message, subject, selected)) continue
      find(refusedWords(error, "an aggregate over the report's columns"))
    }
  }
  return findings
}

/** A declared column that is not selected is said where it is declared. */
function isEcho(message: string, { definition }: Subject, selected: ReadonlySet<string>): boolean {
  const missing = /^column "([^"]+)" does not exist/.exec(message)?.[1]
  if (missing === undefined || !isReport(definition)) return false
  return Object.hasOwn(definition.source.matter.columns, missing) && !selected.has(missing)
}

async function describeTotals(
  subject: Subject,
  question: Question,
  totals: readonly Total[],
): Promise<readonly Field[]> {
  if (totals.length === 0) return []
  const list = totals.map(({ total, name }) => `${total} as "${name}"`)
  // why: beside an aggregate a bare column is refused, as it is in the gateway's totals row
  const select = `select ${list.join(', ')}, count(*) from report`
  return subject.session.describe(overReport(subject, question, select))
}

/** @throws Refusal where the total's type and that of its column do not go together. */
async function unite(subject: Subject, question: Question, total: Total): Promise<void> {
  const select = `select ${total.total}, count(*) from report union all select "${total.name}", 0 from report`
  await subject.session.describe(overReport(subject, question, select))
}

function overReport({ written, idType }: Subject, { bindings }: Question, select: string): Asked {
  const statement = compileStatement(`with report as materialized (\n${written.sql}\n)\n${select}`)
  const values = statement.values(bindings)
  return { text: statement.text(idType), values, timeoutMs: TIMEOUT_MS }
}

async function typeMessage(
  { session }: Subject,
  { type, isVisible }: Total,
  typeId: number,
): Promise<string | undefined> {
  const name = () => typeName(session, typeId)
  if (type === 'percent' && losesFraction(typeId)) return lostFraction(await name())
  // why: of a visible column the union with the rows decides
  if (isVisible || fitsType(typeId, type)) return undefined
  return `found ${await name()}, expected ${typesFor(type)} for ${type}`
}

export function lostFraction(found: string): string {
  return `found ${found} for percent, expected numeric: a division of integers loses its fraction`
}

export async function typeName(session: Subject['session'], typeId: number): Promise<string> {
  const [row] = await session.rows<{ name: string }>('select format_type($1, null) as name', [
    typeId,
  ])
  return row?.name ?? `type ${typeId}`
}

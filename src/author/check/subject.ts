/** What every rule that needs a database is given: a definition, how it may be asked, and what is known of the product. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Statement } from '../../definitions/definition.ts'
import type { Finding } from '../../definitions/findings.ts'
import { CAN_BE_PLANNED, refusedWords } from '../../serve/replica/fault.ts'
import type { Field } from '../../serve/replica/prepared.ts'
import type { Product } from './product.ts'
import type { Question } from './questions.ts'
import type { Asked, Refusal, Session } from './session.ts'
import { lineAt, type Written } from './written.ts'

export interface Subject {
  readonly definition: AnyDefinition
  readonly written: Written
  readonly session: Session
  /** PostgreSQL's name of the type of an organization's id. */
  readonly idType: string
  readonly product: Product
}

/** What is asked of a subject that prepares. */
export interface Prepared extends Subject {
  readonly fields: readonly Field[]
  /** What the gateway sends; what is written where that does not prepare. */
  readonly statement: Statement
  /** Columns whose type is wrong: what they hold would be said twice. */
  readonly mistyped: ReadonlySet<string>
}

/** As the gateway asks it. */
export function asked({ definition, statement, idType }: Prepared, { bindings }: Question): Asked {
  const { timeoutMs } = definition
  return { text: statement.text(idType), values: statement.values(bindings), timeoutMs }
}

/** PostgreSQL's message, at the line that it means. @param headLength of what was sent before the statement */
export function refused(
  { written }: Pick<Subject, 'written'>,
  refusal: Refusal,
  sent: string,
  headLength: number,
): Finding {
  const { message, position } = refusal
  const named = /for (?:table|view|relation|materialized view) "?([^"\s]+)"?$/.exec(message)?.[1]
  const table = written.tables.find(({ name }) => name === named)
  const line =
    position === undefined
      ? (table?.line ?? written.firstLine)
      : lineAt(written, sent, Number(position) - headLength)
  return { line, message: refusedWords(refusal, CAN_BE_PLANNED) }
}

/** The input of rules that need a database: a definition, how it is executed, and the product's catalog. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Statement } from '../../definitions/definition.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import type { RowsOf } from '../../definitions/tenant-rows.ts'
import type { KindFinding } from './kinds.ts'
import type { Product } from './product.ts'
import type { Question } from './questions.ts'
import type { Draft } from './rules/draft.ts'
import type { SqlQuery, Session } from './session.ts'

export interface Subject {
  readonly definition: AnyDefinition
  readonly draft: Draft
  readonly parse: ParseSql
  readonly session: Session
  /** PostgreSQL's name of the type of an organization's id. */
  readonly idType: string
  readonly product: Product
}

/** The outcome of a check. */
export interface Checked {
  readonly findings: readonly KindFinding[]
  /** Facts that could not be proved, shown to the author. */
  readonly unproved: readonly string[]
}

/** The input of rules that execute the statement: it prepares. */
export interface PreparedSubject extends Subject {
  /** The statement that the gateway sends, over `rowsOf`. */
  readonly statement: Statement
  /** The organization's rows. */
  readonly rowsOf: RowsOf
}

/** The query that the gateway would send. @param changed a replacement for the statement */
export function queryOf(
  { definition, statement, idType }: PreparedSubject,
  { bindings }: Question,
  changed = statement,
): SqlQuery {
  const { timeoutMs } = definition
  return { text: changed.text(idType), values: changed.values(bindings), timeoutMs }
}

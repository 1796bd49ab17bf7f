/** The input of rules that need a database: a definition, how it is executed, and the product's catalog. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Statement } from '../../definitions/definition.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import type { Insertion } from '../../definitions/sql/sql-pieces.ts'
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
  /** The statement that the gateway sends; if that does not prepare, the one in the file. Over `rowsOf`. */
  readonly statement: Statement
  /** Whether it has the gateway's totals. */
  readonly hasTotals: boolean
  /** The organization's rows. */
  readonly rowsOf: RowsOf
  /** Columns of a wrong type: their values need no second finding. */
  readonly mistyped: ReadonlySet<string>
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

/** The statement over other rows. */
export function statementOver(
  { definition, hasTotals: totals }: Pick<PreparedSubject, 'definition' | 'hasTotals'>,
  rowsOf: RowsOf,
  insertions?: readonly Insertion[],
): Statement {
  return definition.source.over(rowsOf, { totals, insertions })
}

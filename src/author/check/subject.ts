/** The input of rules that need a database: a definition, how it is executed, and the product's catalog. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Statement } from '../../definitions/definition.ts'
import type { Finding } from '../../definitions/findings.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
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
  readonly findings: readonly Finding[]
  /** Facts that could not be proved, shown to the author. */
  readonly unproved: readonly string[]
}

/** The input of rules that execute the statement: it prepares. */
export interface PreparedSubject extends Subject {
  /** The statement that the gateway sends; if that does not prepare, the one in the file. */
  readonly statement: Statement
  /** Columns of a wrong type: their values need no second finding. */
  readonly mistyped: ReadonlySet<string>
  /** Replaces the data by synthetic rows. */
  readonly synthetic?: (text: string) => Promise<string>
}

/** The query that the gateway would send. @param text a replacement for the statement's text */
export async function queryOf(
  { definition, statement, idType, synthetic }: PreparedSubject,
  { bindings }: Question,
  text: string = statement.text(idType),
): Promise<SqlQuery> {
  const { timeoutMs } = definition
  return { text: (await synthetic?.(text)) ?? text, values: statement.values(bindings), timeoutMs }
}

/** The input of rules that need a database: a definition, how it is executed, and the product's catalog. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Product } from './product.ts'
import type { Question } from './questions.ts'
import type { Draft } from './rules/draft.ts'
import type { SqlQuery, Session } from './session.ts'

export interface Subject {
  readonly definition: AnyDefinition
  readonly draft: Draft
  readonly session: Session
  /** PostgreSQL's name of the type of an organization's id. */
  readonly idType: string
  readonly product: Product
}

/** The query that the gateway would send. @param changed a replacement for the statement */
export function queryOf(
  { definition, idType }: Subject,
  { bindings }: Question,
  changed = definition.statement,
): SqlQuery {
  return {
    text: changed.text(idType),
    values: changed.values(bindings),
    timeoutMs: definition.timeoutMs,
  }
}

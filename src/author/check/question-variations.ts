/** Executes a definition again, over other rows of its tables or with other session settings. */
import type { Finding } from '../../definitions/findings.ts'
import { difference, type Difference } from './differences.ts'
import type { ProductTable } from './product-tables.ts'
import type { Question } from './questions.ts'
import type { QueryResult, SqlQuery } from './session.ts'
import { otherRows, type OtherRows } from './other-rows.ts'
import { queryOf, statementOver, type PreparedSubject } from './subject.ts'

export interface View extends OtherRows {
  readonly settings?: SqlQuery['settings']
}

export interface Varied extends PreparedSubject {
  /** The tables of organizations that the statement reads. */
  readonly tables: readonly ProductTable[]
}

/** @throws Refusal if PostgreSQL rejects the query or it exceeds the timeout; neither is a fault. */
export type Ask = (view: View) => Promise<QueryResult>

/** @returns undefined if every result is the same */
export type Variation = (
  subject: Varied,
  question: Question,
  ask: Ask,
) => Promise<Finding | undefined>

export const MOST_MS = 3000

export function variedOf(subject: PreparedSubject): Varied {
  const { definition, product } = subject
  const own = new Set(
    definition.source.tables.flatMap(({ name, tenancy }) =>
      tenancy.kind === 'shared' ? [] : [name],
    ),
  )
  return { ...subject, tables: product.tables.filter(({ declared }) => own.has(declared.name)) }
}

export function askOf(subject: Varied, question: Question): Ask {
  const { session, statement, rowsOf, tables } = subject
  return ({ settings = {}, ...rows }) => {
    const isVaried = rows.order !== undefined || rows.columnOf !== undefined
    const varied = isVaried ? statementOver(subject, otherRows(rowsOf, tables, rows)) : statement
    const query = queryOf(subject, question, varied)
    return session.query({ ...query, timeoutMs: Math.min(query.timeoutMs, MOST_MS), settings })
  }
}

/** The first difference between the result of the first view and that of another. */
export async function firstDifference(
  views: readonly View[],
  ask: Ask,
): Promise<Difference | undefined> {
  let first: QueryResult | undefined
  for (const view of views) {
    const result = await ask(view)
    first ??= result
    const differs = difference(first, result)
    if (differs !== undefined) return differs
  }
  return undefined
}

/** Executes a definition again, over other rows of its tables or with other session settings. */
import type { Finding } from '../../definitions/findings.ts'
import { tableKey } from '../sql/catalog-tables.ts'
import { difference, type Difference } from './differences.ts'
import type { ProductTable } from './product-tables.ts'
import type { Question } from './questions.ts'
import type { QueryResult, SqlQuery } from './session.ts'
import { shadowed, type OtherRows } from './shadows.ts'
import { queryOf, type PreparedSubject } from './subject.ts'
import { tableReads } from './table-reads.ts'

export interface View extends OtherRows {
  /** Tables that show only the organization's rows; by default all tables of organizations. */
  readonly tables?: readonly ProductTable[]
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

/** Adds the tables that the statement reads, named with or without their schema. */
export function variedOf(subject: PreparedSubject): Varied {
  const { draft, product } = subject
  const read = tableReads(draft).flatMap(one => product.findTable(one) ?? [])
  const keys = new Set(read.map(tableKey))
  return { ...subject, tables: product.tables.filter(table => keys.has(tableKey(table))) }
}

export function askOf(subject: Varied, question: Question): Ask {
  const { session, statement, idType, synthetic, parse } = subject
  return async ({ tables = subject.tables, settings = {}, ...rows }) => {
    const sql = await parse({ text: statement.text(idType), placeholders: [] })
    const { id } = question.organization
    const text = shadowed(sql, tables, id, rows, synthetic === undefined)
    const query = await queryOf(subject, question, text)
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

/** An experiment executes a statement over other rows, periods or settings, and compares the results. */
import type { Finding } from '../../../definitions/findings.ts'
import type { Bindings } from '../../../definitions/definition.ts'
import { tableOf, type ResultTable } from '../../versions/result-table.ts'
import { tableDifferences, type Difference } from '../../versions/table-differences.ts'
import type { ProductTable } from '../product-tables.ts'
import type { NamedPeriod, Question } from '../questions.ts'
import type { KindFinding } from '../kinds.ts'
import type { CheckedOrganization } from '../questions.ts'
import type { QueryResult, SqlQuery } from '../session.ts'
import type { Subject } from '../subject.ts'
import type { RowsOf } from '../../../definitions/tenant-rows.ts'
import type { OtherRows } from './other-rows.ts'

export interface Experiment {
  /** Of its kind of findings. */
  readonly id: string
  readonly periods: readonly NamedPeriod[]
  /** Ids of findings that explain what it would show. */
  readonly unless?: readonly string[]
  /** @throws Refusal if PostgreSQL rejects a query or it exceeds its time; neither is a fault. */
  readonly find: (trial: Trial) => Promise<Finding | KindFinding | undefined>
}

/** One organization and period for which a statement is executed in several ways. */
export interface Trial extends Subject {
  readonly question: Question
  /** All that the definition is checked for. */
  readonly organizations: readonly CheckedOrganization[]
  /** The tables of organizations that the statement reads, in the order of the text. */
  readonly tables: readonly ProductTable[]
  readonly execute: (way: Way) => Promise<QueryResult>
  /** Says what the rows do not show. */
  readonly unseen: (why: string) => void
}

export interface Way extends OtherRows {
  readonly settings?: SqlQuery['settings']
  /** In place of `columnOf` and `rest`, for every table. */
  readonly sources?: RowsOf
  readonly bindings?: Partial<Bindings>
}

/** The first difference between the result of the first way and that of another, and whether it is one of order alone. */
export async function firstDifference(
  ways: readonly Way[],
  { definition, question: { organization, bindings }, execute }: Trial,
): Promise<(Difference & { readonly isOrderAlone: boolean }) | undefined> {
  let first: ResultTable | undefined
  for (const way of ways) {
    const result = tableOf(definition, organization, bindings, await execute(way))
    first ??= result
    const [differs] = tableDifferences(first, result)
    if (differs !== undefined) return { ...differs, isOrderAlone: sorted(first) === sorted(result) }
  }
  return undefined
}

function sorted({ rows, others }: ResultTable): string {
  return JSON.stringify([rows.map(row => JSON.stringify(row)).toSorted(), ...others])
}

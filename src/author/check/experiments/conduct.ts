/** Makes the experiments on a definition: each for few organizations and periods, until it has a finding. */
import type { Clock, Milliseconds } from '../../../model/terms.ts'
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { findingsOfKind, type KindFinding } from '../kinds.ts'
import type { ProductTable } from '../product-tables.ts'
import { questionsOf, type CheckedOrganization, type Question } from '../questions.ts'
import {
  isRecoveryConflict,
  isRefusal,
  orRefusal,
  QUERY_CANCELED,
  type Refusal,
} from '../session.ts'
import { queryOf, type Checked, type PreparedSubject } from '../subject.ts'
import type { Trial } from './experiment.ts'
import { EXPERIMENTS } from './list.ts'
import { otherRows } from './other-rows.ts'

/** Of one execution. */
const MOST_MS: Milliseconds = 2000
/** Measured: a statement over this many rows takes 20 ms in any order. */
const FEW_ROWS = 20_000

/** @param found ids of the findings of the text and of executions */
export async function conduct(
  subject: PreparedSubject,
  organizations: readonly CheckedOrganization[],
  now: Clock,
  found: Iterable<string>,
): Promise<Checked> {
  const findings: KindFinding[] = []
  const ids = new Set(found)
  /** What was not seen, by the reason. */
  const unseen = new Map<string, Set<string>>()
  const addUnseen = (what: string, why: Refusal | string) => {
    const isSlow = typeof why !== 'string' && why.code === QUERY_CANCELED
    // why: a slow replica is not a fault of the definition
    const reason = isSlow ? `no result within ${MOST_MS / 1000} s` : String(why)
    unseen.set(reason, (unseen.get(reason) ?? new Set()).add(what))
  }
  const tables = tablesOf(subject)
  try {
    const few = await smallOrganizations(subject, tables, organizations, addUnseen)
    for (const { kind, what, periods, isForEach = false, unless = [], find } of EXPERIMENTS) {
      if (unless.some(id => ids.has(id))) continue
      const asked = isForEach ? few : few.slice(0, 1)
      for (const question of asked.flatMap(one => questionsOf(one, periods, now))) {
        const trial = trialOf(subject, tables, question, why => addUnseen(what, why))
        const result = await orRefusal(find(trial))
        if (isRefusal(result)) addUnseen(what, result)
        else if (result !== undefined) {
          findings.push(...findingsOfKind(kind, [result]))
          ids.add(kind.id)
          break
        }
      }
    }
  } catch (error) {
    // why: what goes on reading old rows would stop replay again
    if (!isRecoveryConflict(error)) throw error
    addUnseen('the experiments', 'a conflict with replay')
  }
  const unproved = Array.from(unseen, ([why, what]) => `${[...what].join(', ')} (${why})`)
  return { findings, unproved }
}

function trialOf(
  subject: PreparedSubject,
  tables: readonly ProductTable[],
  question: Question,
  unseen: Trial['unseen'],
): Trial {
  const { definition, session, statement, rowsOf } = subject
  const execute: Trial['execute'] = ({ settings = {}, bindings, ...rows }) => {
    const isVaried = rows.columnOf !== undefined || rows.rest !== undefined
    const over = () => definition.source.over(otherRows(rowsOf, tables, rows), { totals: true })
    const varied = isVaried ? over() : statement
    const asked = { ...question, bindings: { ...question.bindings, ...bindings } }
    const query = queryOf(subject, asked, varied)
    return session.query({ ...query, timeoutMs: Math.min(query.timeoutMs, MOST_MS), settings })
  }
  return { ...subject, question, tables, execute, unseen }
}

/** The tables of organizations that the statement reads, in the order of the text. */
function tablesOf({ draft, product }: PreparedSubject): ProductTable[] {
  const named = nodesOf(draft.statement.root, 'RangeVar').toSorted(
    (one, other) => (one.location ?? 0) - (other.location ?? 0),
  )
  const names = [...new Set(named.map(({ relname }) => relname))]
  return names.flatMap(name =>
    product.tables.filter(
      ({ declared }) => declared.name === name && declared.tenancy.kind !== 'shared',
    ),
  )
}

/** Organizations with few enough rows to be rearranged; the one with most rows first. */
async function smallOrganizations(
  { session }: PreparedSubject,
  tables: readonly ProductTable[],
  organizations: readonly CheckedOrganization[],
  addUnseen: (what: string, why: Refusal) => void,
): Promise<CheckedOrganization[]> {
  const counted: Array<{ one: CheckedOrganization; count: number }> = []
  for (const one of organizations) {
    const counts = tables.map(({ ownRows }) => {
      const rows = ownRows(one)
      return `(select count(*) from (${rows} limit ${FEW_ROWS}) as few)`
    })
    const text = `select ${['0', ...counts].join(' + ')} as count`
    const result = await orRefusal(session.query({ text, values: [], timeoutMs: MOST_MS }))
    if (isRefusal(result)) addUnseen(`rows of organization ${one.nickname ?? one.id}`, result)
    else counted.push({ one, count: Number(result.rows[0]?.[0]) })
  }
  return counted
    .filter(({ count }) => count < FEW_ROWS)
    .toSorted((a, b) => b.count - a.count)
    .map(({ one }) => one)
}

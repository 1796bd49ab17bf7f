/** Makes the experiments on a definition: each for few organizations and periods, until it has a finding. */
import type { Clock, Milliseconds } from '../../../model/terms.ts'
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { findingsOfKind } from '../evidence.ts'
import type { KindFinding } from '../kinds.ts'
import type { ProductTable } from '../product-tables.ts'
import { questionsOf, type CheckedOrganization, type Question } from '../questions.ts'
import {
  isRecoveryConflict,
  isRefusal,
  orRefusal,
  QUERY_CANCELED,
  type QueryResult,
  type Refusal,
} from '../session.ts'
import type { ReplicaFindings } from '../check.ts'
import { queryOf, type Subject } from '../subject.ts'
import type { Trial } from './experiment.ts'
import { EXPERIMENTS } from './list.ts'
import { otherRows } from './other-rows.ts'

/** Of one execution. */
const MOST_MS: Milliseconds = 2000
/** Measured: a statement over this many rows takes 20 ms in any order. */
const FEW_ROWS = 20_000
/** So many show what more rows do. */
const ENOUGH_ROWS = 300

/** @param found ids of the findings of the text and of executions @param executed their results */
export async function conduct(
  subject: Subject,
  organizations: readonly CheckedOrganization[],
  now: Clock,
  found: Iterable<string>,
  executed: ReadonlyMap<Question, QueryResult>,
): Promise<Pick<ReplicaFindings, 'unproved'> & { findings: readonly KindFinding[] }> {
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
    const chosen = await chosenOf(subject, tables, organizations, addUnseen)
    for (const { id: kind, periods, unless = [], find } of EXPERIMENTS) {
      if (unless.some(id => ids.has(id))) continue
      for (const question of chosen ? questionsOf(chosen, periods, now) : []) {
        const [, own] = [...executed].find(([one]) => one.label === question.label) ?? []
        const unseen: Trial['unseen'] = why => addUnseen(kind, why)
        const known = { organizations, question, tables, unseen }
        const trial = trialOf({ ...subject, ...known }, own)
        const result = await orRefusal(find(trial))
        if (isRefusal(result)) addUnseen(kind, result)
        else if (result !== undefined) {
          const finding = 'id' in result ? result : findingsOfKind(kind, [result])[0]!
          if (!ids.has(finding.id)) findings.push(finding)
          ids.add(finding.id)
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

function trialOf(known: Omit<Trial, 'execute'>, own: QueryResult | undefined): Trial {
  const { definition, question, session, product, tables } = known
  const execute: Trial['execute'] = async ({ settings = {}, bindings, sources, ...rows }) => {
    const isOwn = Object.keys({ ...settings, ...bindings, ...rows }).length === 0
    const isVaried = (sources ?? rows.columnOf ?? rows.rest) !== undefined
    if (isOwn && !isVaried && own !== undefined) return own
    const varied = isVaried
      ? definition.source.over(sources ?? otherRows(product.rowsOf, tables, rows), { totals: true })
      : undefined
    const asked = { ...question, bindings: { ...question.bindings, ...bindings } }
    const query = queryOf(known, asked, varied)
    return session.query({ ...query, timeoutMs: Math.min(query.timeoutMs, MOST_MS), settings })
  }
  return { ...known, execute }
}

/** The tables of organizations that the statement reads, in the order of the text. */
function tablesOf({ draft, product }: Subject): ProductTable[] {
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

/** By table and organization: definitions read the same tables. */
const counts = new WeakMap<ProductTable, Map<string, number>>()

/**
 * The organization that has rows of most tables, then with the fewest rows that are enough, else with most; without those
 * of too many to be rearranged.
 */
async function chosenOf(
  { session }: Subject,
  tables: readonly ProductTable[],
  organizations: readonly CheckedOrganization[],
  addUnseen: (what: string, why: Refusal | string) => void,
): Promise<CheckedOrganization | undefined> {
  const found: Array<{ one: CheckedOrganization; rows: number; empty: ProductTable[] }> = []
  for (const one of organizations) {
    let rows = 0
    const empty: ProductTable[] = []
    for (const table of tables) {
      const known = counts.get(table) ?? new Map<string, number>()
      counts.set(table, known)
      const text = `select count(*) from (${table.ownRows(one)} limit ${FEW_ROWS}) as few`
      const query = { text, values: [], timeoutMs: MOST_MS }
      const counted = known.has(one.id) ? undefined : await orRefusal(session.query(query))
      if (isRefusal(counted)) addUnseen(`rows of organization ${one.nickname ?? one.id}`, counted)
      else if (counted !== undefined) known.set(one.id, Number(counted.rows[0]?.[0]))
      const ofTable = known.get(one.id) ?? FEW_ROWS
      rows += ofTable
      if (ofTable === 0) empty.push(table)
    }
    if (rows < FEW_ROWS) found.push({ one, rows, empty })
  }
  if (found.length === 0)
    addUnseen('the experiments', `every organization has ${FEW_ROWS} rows or more`)
  const sorted = found.toSorted((a, b) => a.rows - b.rows)
  const fewest = Math.min(...sorted.map(({ empty }) => empty.length))
  const fullest = sorted.filter(({ empty }) => empty.length === fewest)
  const chosen = fullest.find(({ rows }) => rows >= ENOUGH_ROWS) ?? fullest.at(-1)
  for (const { declared } of chosen?.empty ?? [])
    addUnseen(
      `rows of ${declared.name}`,
      `organization ${chosen!.one.nickname ?? chosen!.one.id} has none`,
    )
  return chosen?.one
}

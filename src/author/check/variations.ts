/**
 * Proves that a result depends only on its rows and the bindings. The statement is executed again with rows in another
 * order, equal names, and in another time zone and collation.
 */
import type { Clock } from '../../model/terms.ts'
import { describeDifference } from './differences.ts'
import { OF_EXECUTION } from './evidence.ts'
import { findingsOfKind, type Kind, type KindFinding } from './kinds.ts'
import { collation, keys, namesakes, physicalOrder } from './order-variations.ts'
import { lineOfColumn } from './output-columns.ts'
import { questionsOf, type CheckedOrganization, type NamedPeriod } from './questions.ts'
import { isRefusal, orRefusal, QUERY_CANCELED, type Refusal } from './session.ts'
import type { Checked, PreparedSubject } from './subject.ts'
import {
  askOf,
  firstDifference,
  MOST_MS,
  variedOf,
  type Variation,
  type Varied,
} from './question-variations.ts'

/** Faults for which other rules have findings. */
export interface KnownFaults {
  readonly order: boolean
  readonly key: boolean
  readonly timeZone: boolean
}

/** At most one finding per rule. */
export async function checkVariations(
  subject: PreparedSubject,
  organizations: readonly CheckedOrganization[],
  now: Clock,
  knownFaults: KnownFaults,
): Promise<Checked> {
  const varied = variedOf(subject)
  const { order } = OF_EXECUTION
  const findings: KindFinding[] = []
  /** The names of rules by the reason why they were not checked. */
  const unproved = new Map<string, Set<string>>()
  const addUnproved = ({ code, message }: Refusal, what: string) => {
    // why: a slow replica is not a fault of the definition
    const why = code === QUERY_CANCELED ? `no result within ${MOST_MS / 1000} s` : message
    unproved.set(why, (unproved.get(why) ?? new Set()).add(what))
  }
  const few = await smallOrganizations(varied, organizations, addUnproved)
  const most = few.slice(0, 1)
  const vary = async (
    what: string,
    kind: Kind,
    rule: Variation,
    subset: readonly CheckedOrganization[],
    named: readonly NamedPeriod[],
  ) => {
    for (const question of subset.flatMap(one => questionsOf(one, named, now))) {
      const found = await orRefusal(rule(varied, question, askOf(varied, question)))
      if (isRefusal(found)) addUnproved(found, what)
      else if (found !== undefined) {
        findings.push(...findingsOfKind(kind, [found]))
        return true
      }
    }
    return false
  }
  if (!knownFaults.timeZone)
    await vary('time zone', OF_EXECUTION.zone, timeZone, few, ['this year', 'five weeks'])
  // why: if rows tie, any variation of rows may differ
  const dependsOnOrder =
    knownFaults.order ||
    (await vary('physical order', order, physicalOrder, most, ['twelve years'])) ||
    (await vary('names that are the same', order, namesakes, most, NAMESAKE_PERIODS))
  if (!dependsOnOrder) {
    if (subject.product.hasIcu)
      await vary('collation', OF_EXECUTION.collation, collation, most, NAMESAKE_PERIODS)
    if (!knownFaults.key)
      await vary('key', OF_EXECUTION.names, keys, most, ['this year', 'twelve years'])
  }
  return {
    findings,
    unproved: Array.from(unproved, ([why, what]) => `${[...what].join(', ')} (${why})`),
  }
}

/** Includes a short period, whose sums are few or 0 and therefore tie. */
const NAMESAKE_PERIODS = ['this year', 'twelve years', 'one day'] as const

/** Time zones far from every organization's: a date in the session time zone differs there. */
const FAR = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']

const timeZone: Variation = async ({ draft }, { label }, ask) => {
  const zones = [{}, ...FAR.map(timezone => ({ timezone }))]
  const differs = await firstDifference(
    zones.map(settings => ({ settings })),
    ask,
  )
  if (differs === undefined) return undefined
  const message = `the result depends on the session time zone (${label}: ${describeDifference(differs)}), expected at time zone :time_zone wherever an instant becomes a date or a text`
  return { line: lineOfColumn(draft, differs.column), message }
}

/** Measured: a statement over this many rows takes 20 ms in any order. */
const FEW = 20_000

/** Organizations with few enough rows to be rearranged; the one with most rows first. */
async function smallOrganizations(
  { session, tables }: Varied,
  organizations: readonly CheckedOrganization[],
  addUnproved: (refusal: Refusal, what: string) => void,
): Promise<CheckedOrganization[]> {
  const counted: Array<{ one: CheckedOrganization; count: number }> = []
  for (const one of organizations) {
    const counts = tables.map(({ ownRows }) => {
      const rows = ownRows(one)
      return `(select count(*) from (${rows} limit ${FEW}) as few)`
    })
    const text = `select ${['0', ...counts].join(' + ')} as count`
    const result = await orRefusal(session.query({ text, values: [], timeoutMs: MOST_MS }))
    if (isRefusal(result)) addUnproved(result, `rows of organization ${one.nickname ?? one.id}`)
    else counted.push({ one, count: Number(result.rows[0]?.[0]) })
  }
  return counted
    .filter(({ count }) => count < FEW)
    .toSorted((a, b) => b.count - a.count)
    .map(({ one }) => one)
}

/**
 * Proves that a result depends only on its organization's rows and the bindings. The statement is executed again with
 * other organizations hidden, rows in another order, equal names, and in another time zone and collation.
 */
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Finding } from '../../definitions/findings.ts'
import type { Clock } from '../../model/terms.ts'
import { difference, describeDifference } from './differences.ts'
import { collation, keys, namesakes, physicalOrder } from './order-variations.ts'
import { lineOfColumn } from './output-columns.ts'
import {
  unknownOrganization,
  questionsOf,
  type CheckedOrganization,
  type NamedPeriod,
} from './questions.ts'
import { isRefusal, orRefusal, QUERY_CANCELED, type Refusal } from './session.ts'
import type { Checked, PreparedSubject } from './subject.ts'
import { tableReads } from './table-reads.ts'
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
  readonly organizations: boolean
  readonly order: boolean
  readonly key: boolean
  readonly timeZone: boolean
}

/**
 * At most one finding per rule.
 * @param isBrief checks only faults that data seldom show: midnights, ties, rows of other organizations
 */
export async function checkVariations(
  subject: PreparedSubject,
  organizations: readonly CheckedOrganization[],
  now: Clock,
  knownFaults: KnownFaults,
  isBrief = false,
): Promise<Checked> {
  const varied = variedOf(subject)
  const isReal = subject.synthetic === undefined
  const findings: Finding[] = []
  /** The names of rules by the reason why they were not checked. */
  const unproved = new Map<string, Set<string>>()
  const addUnproved = ({ code, message }: Refusal, what: string) => {
    // why: a slow replica is not a fault of the definition
    const why = code === QUERY_CANCELED ? `no result within ${MOST_MS / 1000} s` : message
    unproved.set(why, (unproved.get(why) ?? new Set()).add(what))
  }
  const few = isReal ? await smallOrganizations(varied, organizations, addUnproved) : organizations
  const most = few.slice(0, 1)
  const unknown = isReal ? unknownOrganization(subject.idType) : []
  const vary = async (
    what: string,
    rule: Variation,
    subset: readonly CheckedOrganization[],
    named: readonly NamedPeriod[],
  ) => {
    for (const question of subset.flatMap(one => questionsOf(one, named, now))) {
      const found = await orRefusal(rule(varied, question, askOf(varied, question)))
      if (isRefusal(found)) addUnproved(found, what)
      else if (found !== undefined) {
        findings.push(found)
        return true
      }
    }
    return false
  }
  if (!knownFaults.timeZone)
    await vary('time zone', timeZone, few, isBrief ? ['this year'] : ['this year', 'five weeks'])
  // why: if rows tie, any variation of rows may differ
  const dependsOnOrder =
    knownFaults.order ||
    (await vary('physical order', physicalOrder, most, ['twelve years'])) ||
    (!isBrief && (await vary('names that are the same', namesakes, most, NAMESAKE_PERIODS)))
  if (!dependsOnOrder && !isBrief) {
    if (subject.product.hasIcu) await vary('collation', collation, most, NAMESAKE_PERIODS)
    if (!knownFaults.key) await vary('key', keys, most, ['this year', 'twelve years'])
  }
  if (!dependsOnOrder && !knownFaults.organizations) {
    const periods = isBrief ? (['twelve years'] as const) : (['this year', 'twelve years'] as const)
    await vary('one organization alone', alone, [...few, ...unknown], periods)
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
    zones.map(settings => ({ tables: [], settings })),
    ask,
  )
  if (differs === undefined) return undefined
  const message = `the result depends on the session time zone (${label}: ${describeDifference(differs)}), expected at time zone :time_zone wherever an instant becomes a date or a text`
  return { line: lineOfColumn(draft, differs.column), message }
}

/** If other organizations' rows are hidden, the result must stay the same. */
const alone: Variation = async ({ definition, draft, tables }, { label }, ask) => {
  const plain = await ask({ tables: [] })
  const without = async (hidden: typeof tables) => {
    const differs = difference(await ask({ tables: hidden }), plain)
    // why: tied rows change their order with the plan; another rule reports that
    return differs?.isOrderAlone === false ? differs : undefined
  }
  const differs = await without(tables)
  if (differs === undefined) return undefined
  for (const table of tables) {
    const own = await without([table])
    if (own === undefined) continue
    const line = tableReads(draft).find(({ name }) => name === table.name)?.line
    const message = `the result includes rows of ${table.name} of other organizations (${label}: ${describeDifference(own)}), expected none of them`
    return { line: line ?? definition.source.firstLine, message }
  }
  const message = `the result includes rows of other organizations (${label}: ${describeDifference(differs)}), expected those of its organization only`
  return { line: definition.source.firstLine, message }
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
    const counts = tables.map(({ schema, name, ownRows }) => {
      const from = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
      const where = ownRows(escapeLiteral(one.id))
      return `(select count(*) from (select from ${from} where ${where} limit ${FEW}) as few)`
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

/** Rules on the period: half-open, with both ends. */
import type { Finding } from '../../../definitions/findings.ts'
import { withLines, type TextRule } from './draft.ts'
import { columnOf, comparisonsIn, placeholderOf, type Comparison } from './expressions.ts'
import { flat, written, type Nodes } from './nodes.ts'
import { cteNames, everySelect } from './queries.ts'
import type { Select } from './read-query.ts'

export const STARTS = [':period_start', ':period_start_at']
export const ENDS = [':period_end', ':period_end_at']
const TODAYS = [':as_of', ':today', ':now']

interface Bound extends Comparison {
  readonly placeholder: string
  /** Of the column, where it is one. */
  readonly name: string | undefined
}

function boundsIn(nodes: Nodes): Bound[] {
  return comparisonsIn(nodes).flatMap(comparison => {
    const placeholder = placeholderOf(comparison.right)
    if (placeholder === undefined || placeholderOf(comparison.left) !== undefined) return []
    return [{ ...comparison, placeholder, name: columnOf(comparison.left)?.name }]
  })
}

/** A day on the wrong side of a bound. */
export const halfOpen: TextRule = draft => {
  const bounds = withLines(draft, boundsIn)
  const has = (
    name: string | undefined,
    signs: readonly string[],
    placeholders: readonly string[],
  ) =>
    name !== undefined &&
    bounds.some(
      bound =>
        bound.name === name &&
        signs.includes(bound.sign) &&
        placeholders.includes(bound.placeholder),
    )
  return bounds.flatMap(({ sign, placeholder, line, name }) => {
    const find = (what: string, expected: string) => [
      { line, message: `${sign} ${placeholder} ${what}, expected ${expected} ${placeholder}` },
    ]
    const next = placeholder.endsWith('_at') ? 'the moment' : 'the day'
    if (sign === '<=' && ENDS.includes(placeholder)) {
      return find(`takes in ${next} after the period`, '<')
    }
    if (sign === '>' && STARTS.includes(placeholder) && has(name, ['<', '<='], ENDS)) {
      return find(`leaves out the period's first ${next.slice(4)}`, '>=')
    }
    if (sign === '<=' && STARTS.includes(placeholder) && has(name, ['>='], STARTS)) {
      return find("counts the period's first day on both sides", '<')
    }
    if (sign === '>' && ENDS.includes(placeholder) && has(name, ['<'], ENDS)) {
      return find(`leaves ${next} after the period on neither side`, '>=')
    }
    return []
  })
}

/** A condition on the start alone: the answer goes on behind the period. */
export const bothEnds: TextRule = ({ query, knowsPlaceholders }) => {
  if (!knowsPlaceholders) return []
  const ctes = cteNames(query)
  return everySelect(query).flatMap(select => {
    const { tables } = select
    const onlyTables = tables.every(({ name }) => name !== undefined && !ctes.has(name))
    if (!onlyTables || flat(select.nodes).some(({ text }) => [...ENDS, ...TODAYS].includes(text)))
      return []
    return startsOf(select).map(({ line, placeholder, left }) => ({
      line,
      message: `${written(left)} >= ${placeholder} without an end, expected < ${placeholder.replace('start', 'end')} beside it`,
    }))
  })
}

/** Conditions on the period's start in its `where`, on columns that it does not hand on. */
function startsOf({ where, items }: Select): Bound[] {
  const handedOn = new Set(items.map(({ expression }) => columnOf(expression)?.name))
  return boundsIn(where).filter(
    ({ sign, placeholder, name }) =>
      STARTS.includes(placeholder) &&
      ['>=', '>'].includes(sign) &&
      name !== undefined &&
      !handedOn.has(name),
  )
}

/** Nothing of the period at all. */
export const somePeriod: TextRule = ({ tokens, totals, knowsPlaceholders }): Finding[] => {
  const all = [...tokens, ...totals.flatMap(({ nodes }) => flat(nodes))]
  const known = new Set([...STARTS, ...ENDS, ...TODAYS])
  if (!knowsPlaceholders || all.some(({ text }) => known.has(text))) return []
  const message =
    'no placeholder of the period, expected :period_start and :period_end, or :as_of: now every period has the same answer'
  return [{ line: tokens[0]?.line ?? 1, message }]
}

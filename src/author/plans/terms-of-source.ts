/** What SQL, and what a plan, says of one source: its columns, what these are compared by, the strings beside them. */
import { isWord } from '../../definitions/lexer.ts'
import type { Token } from '../../definitions/lexer.ts'
import { columnsIn } from './expressions.ts'
import type { PlanNode } from './plan.ts'
import type { Body, Source } from './sources.ts'

export interface Terms {
  readonly columns: ReadonlySet<string>
  /** `paid_on >`. */
  readonly comparisons: ReadonlySet<string>
  readonly strings: ReadonlySet<string>
}

const SET_OPERATORS = ['union', 'intersect', 'except']

/** Of the one select that the source stands in. */
export function termsInSql(
  tokens: readonly Token[],
  source: Source,
  bodies: readonly Body[],
): Terms {
  const around = bodies.filter(({ from, to }) => source.at > from && source.at < to)
  const from = Math.max(-1, ...around.map(body => body.from))
  const to = Math.min(tokens.length, ...around.map(body => body.to))
  const isOutside = (at: number) =>
    bodies.some(body => body.from > from && body.to < to && at > body.from && at < body.to)
  const splits = tokens.flatMap((token, at) =>
    at > from && at < to && !isOutside(at) && isWord(token, ...SET_OPERATORS) ? [at] : [],
  )
  const start = Math.max(from, ...splits.filter(at => at < source.at))
  const end = Math.min(to, ...splits.filter(at => at > source.at))

  const columns = new Set<string>()
  const comparisons = new Set<string>()
  const strings = new Set<string>()
  const name = source.alias ?? source.name
  for (let at = start + 1; at < end; at++) {
    const token = tokens[at]
    if (token === undefined || isOutside(at)) continue
    if (token.kind === 'string') strings.add(token.text.slice(1, -1))
    const owner = tokens[at - 1]?.text === '.' ? tokens[at - 2]?.text : name
    if (token.kind !== 'word' || tokens[at + 1]?.text === '.' || owner !== name) continue
    columns.add(token.text)
    const operator = operatorOf(tokens[at + 1]?.text ?? '')
    if (operator !== undefined) comparisons.add(`${token.text} ${operator}`)
  }
  return { columns, comparisons, strings }
}

/** Of all nodes, for a condition on a source may stand in a join; strings of the source's own alone. */
export function termsInPlan(nodes: readonly PlanNode[], node: PlanNode): Terms {
  const columns = new Set<string>()
  const comparisons = new Set<string>()
  const alias = node.alias ?? ''
  const texts = nodes.flatMap(({ conditions, output }) => [...conditions, ...output])
  for (const text of texts.filter(text => text.includes(`${alias}.`))) {
    for (const found of columnsIn(text)) if (found.alias === alias) columns.add(found.column)
    for (const [, owner, column, operator = ''] of text.matchAll(COMPARISON)) {
      const known = operatorOf(operator)
      if (owner === alias && known !== undefined) comparisons.add(`${column} ${known}`)
    }
  }
  const strings = node.conditions.flatMap(text =>
    [...text.matchAll(/'\{?([^']*?)\}?'/g)].flatMap(([, found = '']) => found.split(',')),
  )
  return { columns, comparisons, strings: new Set(strings) }
}

const COMPARISON = /([\p{L}\p{N}_]+)\.([\p{L}\p{N}_]+)\)*(?:::[a-z]+)? (=|<>|<=|>=|<|>|IS)/gu

/** `x in (...)` is `x = ANY (...)` in a plan. */
function operatorOf(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (lower === 'in') return '='
  return ['=', '<>', '<', '>', '<=', '>=', 'is'].includes(lower) ? lower : undefined
}

/** The more, the likelier one is of the other. */
export function likeness(sql: Terms, plan: Terms): number {
  const hits = inBoth(plan.columns, sql.columns) + inBoth(plan.strings, sql.strings)
  const compared = inBoth(plan.comparisons, sql.comparisons)
  const unsaid = plan.comparisons.size - compared
  const missed = sql.comparisons.size - compared
  return hits + 2 * compared - 2 * unsaid - missed
}

function inBoth(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...some].filter(term => others.has(term)).length
}

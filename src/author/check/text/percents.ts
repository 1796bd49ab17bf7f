/** The rule on percents: 12.5 means 12.5 %. */
import type { Draft, TextRule } from './draft.ts'
import { bare, callsIn } from './expressions.ts'
import {
  byComma,
  flat,
  isGroup,
  isSign,
  isWord,
  nameOf,
  split,
  type Node,
  type Nodes,
} from './nodes.ts'
import { everySelect } from './queries.ts'
import { valuesOf } from './units.ts'

/** A share needs a factor of 100. Said only of a plain quotient of counts and sums: what else there is may be scaled. */
export const percents: TextRule = draft => {
  const values = valuesOf(draft, 'percent')
  const names = new Set(values.map(({ name }) => name))
  return values.flatMap(({ name, nodes, line }) => {
    const quotient = quotientOf(nodes)
    if (quotient === undefined) return []
    const [dividend, divisor] = quotient.map(part => madeOf(part, draft)) as [Made, Made]
    const isScaled = [dividend, divisor].some(({ nodes }) => flat(nodes).some(isScale))
    const isWeighted = dividend.multiplies && !divisor.multiplies
    const ofPercents = [dividend, divisor].some(({ columns }) =>
      columns.some(column => names.has(column) || PERCENT_NAME.test(column)),
    )
    if (isScaled || isWeighted || ofPercents) return []
    const message = `${name} is a share of 1, expected percent: 100.0 * ... / ...`
    return [{ line: line ?? nodes[0]?.line ?? 1, message }]
  })
}

const PERCENT_NAME = /(?:^|_)(?:percents?|pct|rates?|ratios?|shares?|margins?|points?)(?:_|$)/

/** `a` and `b` of `round(1.0 * a / b, 1)`. */
function quotientOf(nodes: Nodes): [Nodes, Nodes] | undefined {
  const inner = bare(nodes)
  const [call, group] = inner
  if (inner.length === 2 && isWord(call, 'round', 'coalesce') && isGroup(group)) {
    return quotientOf(byComma(group.nodes)[0] ?? [])
  }
  if (inner.some(node => isSign(node, '+', '-', ',') || isWord(node, 'case'))) return undefined
  const parts = split(inner, node => isSign(node, '/'))
  const [dividend, divisor] = parts
  if (dividend === undefined || divisor === undefined || parts.length > 2) return undefined
  if (isNumber(divisor[0]) || callsIn(inner, 'avg').length > 0) return undefined
  return divisor.some(node => isSign(node, '*')) ? undefined : [dividend, divisor]
}

interface Made {
  readonly nodes: Nodes
  readonly columns: readonly string[]
  readonly multiplies: boolean
}

/** An expression, and those that make the columns that it names, wherever the statement makes them. */
function madeOf(nodes: Nodes, draft: Draft): Made {
  const items = everySelect(draft.query).flatMap(({ items }) => items)
  const known = new Set<string>()
  const all: Node[] = [...nodes]
  for (let queue = [nodes]; queue.length > 0;) {
    const columns = queue.flatMap(flat).flatMap(token => nameOf(token) ?? [])
    queue = columns
      .filter(column => !known.has(column))
      .flatMap(column => {
        known.add(column)
        return items.flatMap(({ name, expression }) => (name === column ? [expression] : []))
      })
    all.push(...queue.flat())
  }
  return { nodes: all, columns: [...known], multiplies: multiplies(all) }
}

/** By more than 1.0, and not the star of `count(*)`. */
function multiplies(nodes: Nodes): boolean {
  return nodes.some((node, at) => {
    if (node.kind === 'group') return multiplies(node.nodes)
    const [before, behind] = [nodes[at - 1], nodes[at + 1]]
    const isProduct = isSign(node, '*') && before !== undefined && behind !== undefined
    return isProduct && !isSign(before, '.') && !(isNumber(before) || isNumber(behind))
  })
}

function isNumber(node: Node | undefined): boolean {
  return node?.kind === 'number'
}

/** 100, 1000, 0.01, '100' */
function isScale({ kind, text }: Node): boolean {
  if (kind !== 'number' && kind !== 'string') return false
  const number = Number(text.replaceAll("'", ''))
  return number >= 100 || (number > 0 && number <= 0.01)
}

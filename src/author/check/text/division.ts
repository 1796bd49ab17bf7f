/** Rules on division: no fraction is dropped, and nothing is divided by a sum that may be 0. */
import { withLines, type Draft, type TextRule } from './draft.ts'
import { bare, columnOf } from './expressions.ts'
import { isGroup, isSign, isWord, nameOf, split, written, type Node, type Nodes } from './nodes.ts'
import { everySelect, tableAliases } from './queries.ts'

/** An integer divided by an integer loses its fraction. Of counts alone the text tells that they are integers. */
export const wholeDivision: TextRule = draft => {
  const counts = countsOf(draft)
  return withLines(draft, nodes =>
    divisionsIn(nodes).flatMap(({ dividend, divisor, line }) => {
      const isWhole = divisor[0]?.kind !== 'number' && counts.has(dividend) && counts.has(divisor)
      if (!isWhole) return []
      const message = `${written(dividend)} / ${written(divisor)} drops the fraction of integers, expected 100.0 or a cast to numeric`
      return [{ line, message }]
    }),
  )
}

/** `sum(x)` over rows that cancel out, and `count(*)` over none, are 0. */
export const zeroDivision: TextRule = draft =>
  withLines(draft, nodes =>
    divisionsIn(nodes).flatMap(({ divisor, line, guarded }) => {
      const [name, group, ...rest] = bare(divisor)
      const isSum = isWord(name, 'sum') && isGroup(group) && rest.length === 0
      const isCount =
        isWord(name, 'count') &&
        isGroup(group) &&
        (isWord(rest[0], 'filter') || draft.totals.some(total => total.nodes === nodes))
      if (guarded || !(isSum || isCount)) return []
      const message = `${written(divisor)} may be 0, by which nothing is divided, expected nullif(${written(divisor)}, 0)`
      return [{ line, message }]
    }),
  )

interface Division {
  readonly dividend: Nodes
  readonly divisor: Nodes
  readonly line: number
  /** Whether a `case` stands around it, which may ask for 0 before. */
  readonly guarded: boolean
}

function divisionsIn(list: Nodes, around = false): Division[] {
  const inCase = insideCase(list)
  const isGuarded = (node: Node) => around || inCase.has(node)
  const isEnd = (node: Node, at: number) =>
    isSign(node, ',', '+', '-', '<', '<=', '>', '>=', '=', '<>') ||
    (isWord(node, ...ENDS) && !isSign(list[at - 1], '.'))
  const here = split(list, isEnd).flatMap(term =>
    term.flatMap((node, at) => {
      if (!isSign(node, '/') || at === 0) return []
      const behind = term.slice(at + 1)
      const next = behind.findIndex(other => isSign(other, '*', '/', '||'))
      const divisor = next === -1 ? behind : behind.slice(0, next)
      return [{ dividend: term.slice(0, at), divisor, line: node.line, guarded: isGuarded(node) }]
    }),
  )
  const inGroups = list.flatMap(node =>
    node.kind === 'group' ? divisionsIn(node.nodes, isGuarded(node)) : [],
  )
  return [...here, ...inGroups]
}

/** Nodes of this list between a `case` and its `end`. */
function insideCase(list: Nodes): Set<Node> {
  let depth = 0
  return new Set(
    list.filter((node, at) => {
      const isColumn = isSign(list[at - 1], '.')
      if (isWord(node, 'case') && !isColumn) depth++
      else if (isWord(node, 'end') && !isColumn && depth > 0) depth--
      return depth > 0
    }),
  )
}

const ENDS =
  'select distinct from where and or then else end when case by on as desc asc limit having group order union'.split(
    ' ',
  )

/** Knows which expressions are integers: counts, and names that are counts wherever the statement makes them. */
interface Counts {
  has(nodes: Nodes): boolean
}

function countsOf({ query }: Draft): Counts {
  const tables = tableAliases(query)
  const names = new Map<string, Nodes[]>()
  for (const { name, expression } of everySelect(query).flatMap(({ items }) => items)) {
    if (name !== undefined) names.set(name, [...(names.get(name) ?? []), expression])
  }
  const known = new Set<string>()
  const ofColumn = (nodes: Nodes): string | undefined => {
    const column = columnOf(nodes)
    return column?.qualifier !== undefined && tables.has(column.qualifier)
      ? undefined
      : column?.name
  }
  const has = (nodes: Nodes, also?: string) =>
    isInteger(nodes, inner => {
      const column = ofColumn(inner)
      return column !== undefined && (column === also || known.has(column))
    })
  for (let before = -1; before < known.size;) {
    before = known.size
    for (const [name, expressions] of names) {
      const made = expressions.filter(nodes => ofColumn(nodes) !== name)
      // why: `coalesce(x.n, 0) as n` is an integer where `n` is one elsewhere
      const isCount = made.some(nodes => has(nodes)) && made.every(nodes => has(nodes, name))
      if (isCount) known.add(name)
    }
  }
  return { has }
}

const KEEPING = ['nullif', 'coalesce', 'greatest', 'least', 'abs']

function isInteger(nodes: Nodes, isKnown: (nodes: Nodes) => boolean): boolean {
  const inner = bare(nodes)
  const terms = split(inner, node => isSign(node, '+', '-', '*', '/'))
  if (terms.length > 1) return terms.every(term => isInteger(term, isKnown))
  const [first, second] = inner
  if (inner.length === 1 && first?.kind === 'number') return /^\d+$/.test(first.text)
  const isSum = isWord(first, 'sum') && isGroup(second)
  if ((isSum || nameOf(first) === 'count') && isGroup(second)) {
    const [sign, type, ...more] = withoutWindow(inner.slice(2))
    const isCast = isSign(sign, '::') && isWord(type, ...INTEGERS) && more.length === 0
    return isCast || (sign === undefined && !isSum)
  }
  if (isWord(first, ...KEEPING) && isGroup(second) && inner.length === 2) {
    return split(second.nodes, node => isSign(node, ',')).every(arg => isInteger(arg, isKnown))
  }
  return isKnown(inner)
}

const INTEGERS = ['int', 'integer', 'bigint', 'smallint', 'int2', 'int4', 'int8']

/** What stands behind an aggregate and its `filter (...)`, `over (...)` or `over name`. */
function withoutWindow(behind: Nodes): Nodes {
  return isWord(behind[0], 'filter', 'over') ? withoutWindow(behind.slice(2)) : behind
}

/** The expressions of columns, facts and metrics, by declared type. */
import type { Node } from 'libpg-query'
import { walk } from '../../../definitions/sql/syntax-tree.ts'
import { makersIn } from '../../sql/columns.ts'
import type { Select } from '../../sql/relations.ts'
import type { Draft, DraftPart } from './draft.ts'
import type { TextRule } from './text-rule.ts'

interface Value {
  /** The name of the column, fact or metric. */
  readonly name: string
  readonly expression: Node
  /** The select in whose scope the expression is. */
  readonly select: Select
  readonly part: DraftPart
}

/** A rule on values of a type. @param judge the problems of one value, at nodes of its own part */
export function onValues(
  type: 'number' | 'percent',
  judge: (value: Value, draft: Draft) => Iterable<readonly [node: object, problem: string]>,
): TextRule {
  return draft =>
    valuesOf(draft, type).flatMap(value => {
      const { name, part } = value
      const found = Array.from(judge(value, draft))
      if (found.length === 0) return []
      // why: the statement's own columns are judged in the statement, not in the total
      const own = new Set<object>()
      walk(part.root, ({ node }) => void own.add(node))
      return found
        .filter(([node]) => own.has(node))
        .map(([node, problem]) => ({ line: part.line(node), message: `${name} ${problem}` }))
    })
}

/** Items of the statement, one per select of a union, and totals. */
function valuesOf(draft: Draft, type: 'number' | 'percent'): Value[] {
  const { query, statement, totals } = draft
  const items = namesOfType(draft, type).flatMap(name =>
    makersIn(query, name).map(({ item: { expression }, select }) => {
      return { name, expression, select, part: statement }
    }),
  )
  const ofTotals = totals.flatMap(part => {
    const { name, root: expression, query } = part
    const [select] = query.selects
    return part.type === type && select !== undefined ? [{ name, expression, select, part }] : []
  })
  return [...items, ...ofTotals]
}

/** The content of a node, without its kind. */
export function contentOf(node: Node): object {
  return Object.values(node)[0] as object
}

/** Names of columns, facts and metrics of a type. */
export function namesOfType({ report, metrics }: Draft, type: string): string[] {
  const all = [
    ...Object.entries({ ...report?.columns, ...report?.facts }),
    ...Object.entries(metrics?.metrics ?? {}).map(
      ([name, { format }]) => [name, { type: format }] as const,
    ),
  ]
  return all.flatMap(([name, value]) => (value.type === type ? [name] : []))
}

/** Rules on totals: what does not add up is worked out from sums, and a sum over nothing is 0. */
import type { Finding } from '../../../definitions/findings.ts'
import { withLines, type Draft, type TextRule } from './draft.ts'
import { callsIn, columnOf } from './expressions.ts'
import { flat, isGroup, isSign, isWord, nameOf, written, type Nodes } from './nodes.ts'
import { everyQuery, everySelect, firstSelect } from './queries.ts'
import type { Select } from './read-query.ts'

/** `sum(share)`, `avg(margin)`: percents neither add up nor average without their weights. */
export const percentTotals: TextRule = draft => {
  const columns = Object.entries(draft.report?.columns ?? {})
  const percents = new Set(
    columns.flatMap(([name, { type }]) => (type === 'percent' ? [name] : [])),
  )
  const messages = (nodes: Nodes, line?: number): Finding[] =>
    callsIn(nodes, 'sum', 'avg').flatMap(({ name, args: [argument = []], line: own, rest }) => {
      const column = columnOf(argument)?.name
      if (column === undefined || !percents.has(column) || isWord(rest[0], 'over')) return []
      const what = name === 'sum' ? 'adds up' : 'averages'
      const message = `${name}(${column}) ${what} percentages, expected the ratio of sums`
      return [{ line: line ?? own, message }]
    })
  const items = everySelect(draft.query).flatMap(({ items }) => items)
  return [
    ...draft.totals.flatMap(({ nodes, line }) => messages(nodes, line)),
    ...items.flatMap(({ name, expression }) =>
      name !== undefined && percents.has(name) ? messages(expression) : [],
    ),
  ]
}

/** A count under a column of money or of quantities. */
export const countsAsTotals: TextRule = ({ totals }) =>
  totals.flatMap(({ nodes, name, type, line, isColumn }) => {
    const isOther = type === 'money' || type === 'number'
    const [call, group] = nodes
    const isCount =
      nodes.length === 2 && isWord(call, 'count') && isGroup(group) && written(group.nodes) === '*'
    if (!isOther || !isCount || !isColumn) return []
    const message = `count(*) is the number of rows under a column of type ${type}, expected sum(${name}), or none`
    return [{ line, message }]
  })

const AVERAGES = ['avg', 'percentile_cont', 'percentile_disc', 'mode']
const PLACES = ['row_number', 'rank', 'dense_rank', 'ntile', 'percent_rank', 'cume_dist']

/** The sum of averages, of places and of running totals means nothing. */
export const sumsOfRatios: TextRule = draft => {
  const items = everySelect(draft.query).flatMap(({ items }) => items)
  return draft.totals.flatMap(({ nodes, line }) =>
    callsIn(nodes, 'sum', 'avg').flatMap(({ name, args: [argument = []] }) => {
      const column = columnOf(argument)?.name
      const kinds = items.flatMap(item => (item.name === column ? [kindOf(item.expression)] : []))
      const kind = kinds.find(found => found !== undefined)
      if (column === undefined || kind === undefined) return []
      const message = `${name}(${column}) is a ${name === 'sum' ? 'sum' : 'mean'} of ${kind}, which do not add up, expected it from the rows' own sums, or none`
      return [{ line, message }]
    }),
  )
}

function kindOf(expression: Nodes): string | undefined {
  if (callsIn(expression, ...AVERAGES).length > 0) return 'averages'
  if (callsIn(expression, ...PLACES).length > 0) return 'places'
  const running = callsIn(expression, 'sum').some(({ rest: [over, window] }) => {
    const inner = isGroup(window) ? flat(window.nodes) : []
    return isWord(over, 'over') && inner.some(token => isWord(token, 'order'))
  })
  return running ? 'running totals' : undefined
}

/** `sum(distinct amount)` is a patch for a join that multiplies rows, and drops amounts that are equal. */
export const distinctSums: TextRule = draft =>
  withLines(draft, nodes =>
    callsIn(nodes, 'sum', 'avg').flatMap(({ name, args: [argument = []], line }) => {
      if (!isWord(argument[0], 'distinct')) return []
      const message = `${name}(${written(argument)}) drops amounts that are equal, expected ${name}(${written(argument.slice(1))}) over rows that no join multiplies`
      return [{ line, message }]
    }),
  )

/** A figure of an organization without rows is 0 and not null. */
export const sumsOfNothing: TextRule = draft => {
  const select = firstSelect(draft.query)
  if (draft.metrics === undefined || select === undefined) return []
  return Object.entries(draft.metrics.metrics).flatMap(([code, { format }]) => {
    if (format !== 'money' && format !== 'integer') return []
    const found = bareSum(code, select, draft)
    if (found === undefined) return []
    const message = `${written(found)} over no rows is null, expected coalesce(${written(found)}, 0)`
    return [{ line: found[0]?.line ?? 1, message }]
  })
}

/** The sum that a column is, through common table expressions; undefined where something stands between. */
function bareSum(column: string, select: Select, draft: Draft): Nodes | undefined {
  const item = select.items.find(({ name }) => name === column)
  if (item === undefined || select.groupBy !== undefined) return undefined
  for (const list of withoutCoalesce(item.expression)) {
    if (list.some(node => isSign(node, '/') || isWord(node, 'case', 'over'))) return undefined
    const at = list.findIndex((node, index) => nameOf(node) === 'sum' && isGroup(list[index + 1]))
    if (at !== -1) return list.slice(at, at + 2)
    for (const [index, node] of list.entries()) {
      if (!isSign(node, '.')) continue
      const found = throughCte(nameOf(list[index - 1]), nameOf(list[index + 1]), select, draft)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Of the arguments of these functions a null is not what comes out. */
const NEVER_NULL = ['coalesce', 'greatest', 'least']

/** The list itself, and that of every group in it, but for arguments that something stands in for. */
function withoutCoalesce(nodes: Nodes): Nodes[] {
  const kept = nodes.filter((_, at) => !isWord(nodes[at - 1], ...NEVER_NULL))
  return [kept, ...kept.flatMap(node => (isGroup(node) ? withoutCoalesce(node.nodes) : []))]
}

function throughCte(
  alias: string | undefined,
  column: string | undefined,
  { tables }: Select,
  draft: Draft,
) {
  const table = tables.find(table => table.alias === alias)
  const ctes = everyQuery(draft.query).flatMap(({ ctes }) => ctes)
  const inner = ctes.find(({ name }) => name === table?.name)
  const select = inner && firstSelect(inner.query)
  return column === undefined || select === undefined || table?.join === 'left'
    ? undefined
    : bareSum(column, select, draft)
}

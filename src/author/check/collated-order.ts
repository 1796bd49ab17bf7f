/** The order of a statement by texts, in one collation on every database. */
import type { Node } from 'libpg-query'
import { as, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { columnOf } from '../sql/expressions.ts'
import { outputItem } from './output-columns.ts'
import { isText, tableColumn } from './column-types.ts'
import type { Draft } from './rules/draft.ts'

/**
 * SQL to paste: behind columns of tables, or in the select for names of it, because PostgreSQL finds such a name in
 * `order by` only if it stands alone.
 */
export function collatedOrder(draft: Draft): string {
  const { query, statement, report } = draft
  const items = query.selects[0]?.items ?? []
  const isOfTexts = (node: Node): boolean => {
    const columns = nodesOf(node, 'ColumnRef').map(ColumnRef =>
      tableColumn({ ColumnRef }, query.selects[0]!, draft.findTable),
    )
    return (
      columns.some(one => isText(one?.column.type ?? '')) && nodesOf(node, 'FuncCall').length === 0
    )
  }
  const all = (query.node.sortClause ?? []).flatMap(sort => {
    const node = as(sort, 'SortBy')?.node
    const item = outputItem(node, items)
    if (node === undefined || as(node, 'CollateClause') !== undefined) return []
    if (item === undefined || columnOf(node)?.qualifier !== undefined)
      return isOfTexts(node) ? `${statement.written(node)} collate "C" in the order by` : []
    const isCollated = as(item.expression, 'CollateClause') !== undefined
    const isTextColumn = report?.columns[item.name ?? '']?.type === 'text'
    if (isCollated || !isTextColumn || !isOfTexts(item.expression)) return []
    return `${statement.written(item.expression)} collate "C" as ${item.name} in the select`
  })
  return all.length === 0 ? 'collate "C" behind each text in it' : all.join(', and ')
}

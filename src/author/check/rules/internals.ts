/** The rule on system columns, which depend on storage and not on the data. */
import { sourceOf } from '../../sql/columns.ts'
import { columnOf } from '../../sql/expressions.ts'
import { nodes, onEach } from './text-rule.ts'

const SYSTEM_COLUMNS = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])

/** Vacuum and updates change them. */
export const systemColumns = onEach(nodes('ColumnRef'), ({ node: ColumnRef }, { select }) => {
  const { qualifier, name = '' } = columnOf({ ColumnRef }) ?? {}
  if (!SYSTEM_COLUMNS.has(name)) return undefined
  const item = select.items.find(one => one.name === name)
  // why: in `order by xmin` the name may be an output column
  const isOwnName = qualifier === undefined && item && columnOf(item.expression)?.name !== name
  const kind = sourceOf({ ColumnRef }, select)?.relation.kind ?? 'table'
  return (
    kind === 'table' &&
    !isOwnName &&
    `${name} depends on where a row is stored, expected a column of the product's, such as its id`
  )
})

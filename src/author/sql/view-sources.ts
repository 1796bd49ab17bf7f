/** Traces the columns of views to the tables that their queries read, as PostgreSQL prints the queries. */
import { rejectionOf } from '../../definitions/rejected-functions.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { columnOf } from './expressions.ts'
import { createFindTable, type CatalogTable } from './catalog-tables.ts'
import { relationOf } from '../check/origins.ts'
import { readQuery } from '../check/statement.ts'

/** Sets the `sources` of views with one select. */
export async function traceViews(tables: readonly CatalogTable[], parse: ParseSql): Promise<void> {
  const find = createFindTable(tables)
  for (const { view, reads, sources } of tables) {
    const parsed = view === null ? undefined : await parse({ text: view, placeholders: [] })
    const query = readQuery(parsed?.statements[0]?.tree)
    const [select, ...others] = query?.selects ?? []
    if (select === undefined || others.length > 0) continue
    const { items, relations } = select
    // why: a window has other rows, and such functions may read them
    const isOfRow = nodesOf(select.node, 'FuncCall').every(({ over, funcname }) => {
      const { clock } = rejectionOf(namesOf(funcname).at(-1) ?? '') ?? { clock: true }
      return over === undefined && clock === true
    })
    const isOne = relations.length === 1 && reads.length === 1 && select.query.inner.length === 0
    for (const relation of relations) {
      // why: a list of column names is by position, and the role may not see all columns
      const table = relation.columns.length === 0 ? find(relation) : undefined
      const shown = items.flatMap(({ name = '', expression }) => {
        const column = relationOf(expression, select) === relation && columnOf(expression)
        return column ? [[column.name, name] as const] : []
      })
      if (table !== undefined)
        sources.push({ table, shown: new Map(shown), isRow: isOfRow && isOne })
    }
  }
}

/** Types of the table columns that an expression names, from the catalog. Knows no database. */
import type { Node } from 'libpg-query'
import { plainType } from '../sql/catalog-tables.ts'
import { columnOf, withoutCasts } from '../sql/expressions.ts'
import { origins, relationOf } from './origins.ts'
import type { FindProductTable, ProductTable } from './product-tables.ts'
import type { Select } from './statement.ts'

export interface TypedColumn {
  readonly name: string
  /** As `format_type` prints it; for a domain, its base type. */
  readonly type: string
  readonly table: ProductTable
}

/** The table columns behind an expression that is a column with casts, through CTEs and subqueries; undefined where another expression is. */
export type ColumnsOf = (node: Node | undefined, select: Select) => Array<TypedColumn | undefined>

export function createColumnsOf(findTable: FindProductTable): ColumnsOf {
  const typed = (node: Node, select: Select): TypedColumn | undefined => {
    const name = columnOf(node)?.name
    const relation = relationOf(node, select)
    const isOfOne = columnOf(node)?.qualifier !== undefined
    const read = isOfOne || relation?.query !== undefined ? [relation] : select.relations
    const [found, ...others] = read.flatMap(one => {
      const table = one && findTable(one)
      const column = table?.columns.find(own => own.name === name)
      return table && column ? [{ name: column.name, type: column.type, table }] : []
    })
    return others.length === 0 ? found : undefined
  }
  return (node, select) =>
    node === undefined ? [] : origins(node, select, withoutCasts).map(one => typed(...one))
}

/** @param type a type name of the catalog or of a cast */
export function isText(type: string): boolean {
  return /^(text|character|character varying|varchar|bpchar)$/.test(plainType(type))
}

/** Columns of tables by the catalog. Knows no database. */
import type { Node } from 'libpg-query'
import { plainType, type CatalogColumn, type CatalogTable } from '../sql/catalog-tables.ts'
import { columnOf } from '../sql/expressions.ts'
import { originOf, relationOf } from './origins.ts'
import type { Relation, Select } from './statement.ts'

export type FindRelation<Table = CatalogTable> = (relation: Relation) => Table | undefined

/** The column of a table that an expression is, with casts, through CTEs and subqueries; undefined for another one. */
export function tableColumn<Table extends CatalogTable>(
  node: Node | undefined,
  select: Select,
  findTable: FindRelation<Table> | undefined,
): { readonly table: Table; readonly column: CatalogColumn } | undefined {
  if (node === undefined || findTable === undefined) return undefined
  const [origin, within] = originOf(node, select)
  const { name, qualifier } = columnOf(origin) ?? {}
  const relation = relationOf(origin, within)
  const read = relation === undefined && qualifier === undefined ? within.relations : [relation]
  const [found, ...others] = read.flatMap(one => {
    const table = one && findTable(one)
    const column = table?.columns.find(own => own.name === name)
    return table && column ? [{ table, column }] : []
  })
  return others.length === 0 ? found : undefined
}

/** @param type a type name of the catalog or of a cast */
export function isText(type: string): boolean {
  return /^(text|character|character varying|varchar|bpchar)$/.test(plainType(type))
}

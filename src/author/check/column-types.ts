/** Types of the table columns that an expression names, from the catalog. Knows no database. */
import type { Node } from 'libpg-query'
import { tableColumnsOf, type ColumnSource } from '../sql/columns.ts'
import type { TableColumns } from '../sql/outputs.ts'
import type { Select } from '../sql/relations.ts'
import { plainType } from '../sql/catalog-tables.ts'
import type { FindProductTable, ProductTable } from './product-tables.ts'

export interface TypedColumn extends ColumnSource {
  /** As `format_type` prints it; for a domain, its base type. */
  readonly type: string
  readonly table: ProductTable
}

/** A reference to a column in a definition. */
export interface ReadColumn {
  readonly column: TypedColumn
  readonly written: string
  readonly line: number
}

export interface ColumnTypes {
  readonly tableColumns: TableColumns
  /** Undefined if the source is not a table, or if the role may not read it. */
  typed(source: ColumnSource): TypedColumn | undefined
  /** The table columns behind an expression that is a column, through CTEs and subqueries. */
  columnsOf(node: Node | undefined, select: Select): TypedColumn[]
}

export function createColumnTypes(findTable: FindProductTable): ColumnTypes {
  const tableColumns: TableColumns = relation =>
    findTable(relation)?.columns.map(({ name }) => name)
  const typed = ({ relation, name }: ColumnSource): TypedColumn | undefined => {
    const table = findTable(relation)
    const column = table?.columns.find(one => one.name === name)
    return table && column && { relation, name, type: column.type, table }
  }
  return {
    tableColumns,
    typed,
    columnsOf: (node, select) =>
      node === undefined
        ? []
        : tableColumnsOf(node, select, { tableColumns }).flatMap(source => typed(source) ?? []),
  }
}

/** @param type a type name of the catalog or of a cast */
export function isText(type: string): boolean {
  return /^(text|character|character varying|varchar|bpchar)$/.test(plainType(type))
}

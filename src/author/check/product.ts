/** Facts about the product from the replica's system catalogs, read once before the definitions are checked. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import type { Tenancy } from '../../definitions/tenancy.ts'
import { catalogFaults, idTypeIn } from '../tenancy/catalog-faults.ts'
import { productTables, type FindProductTable, type ProductTable } from './product-tables.ts'
import { readKnownValues, type KnownValues } from './known-values.ts'
import type { Session } from './session.ts'
import { createFindTable, readCatalogTables, type FindTable } from '../sql/catalog-tables.ts'

export interface Product {
  readonly tenancy: Tenancy
  /** The declared tables that exist. */
  readonly tables: readonly ProductTable[]
  readonly findTable: FindProductTable
  /** Finds any table that the role may read, as the database names it. */
  readonly findInCatalog: FindTable
  readonly hasIcu: boolean
  readonly values: KnownValues
  /** Errors in lines of `tenancy.yaml`. */
  readonly findings: readonly FileFinding[]
  /** The type of an organization's id. */
  readonly idType: string
}

/** @param knownIdType undefined without an organization */
export async function readProduct(
  session: Session,
  tenancy: Tenancy,
  parse: ParseSql,
  knownIdType?: string,
): Promise<Product> {
  const all = await readCatalogTables(text => session.rows(text))
  const icu = await session.rows("select from pg_collation where collname = 'und-x-icu'")
  const tables = productTables(tenancy, all)
  const byName = new Map(tables.map(table => [table.declared.name, table]))
  const idType = knownIdType ?? idTypeIn(tenancy, all)
  return {
    tenancy,
    tables,
    findTable: ({ name = '', schema, kind = 'table' }) =>
      schema === undefined && kind === 'table' ? byName.get(name) : undefined,
    findInCatalog: createFindTable(all.filter(({ columns }) => columns.length > 0)),
    hasIcu: icu.length > 0,
    values: await readKnownValues(all, parse),
    findings: catalogFaults(tenancy, all, idType),
    idType,
  }
}

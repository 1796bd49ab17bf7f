/** Facts about the product from the replica's system catalogs, read once before the definitions are checked. */
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { tablesWithOrganizationRows } from '../tenancy/organization-rows.ts'
import { tenanciesOfDatabase } from '../tenancy/database-tenancies.ts'
import type { Tenancies } from '../tenancy/tenancy.ts'
import type { TenancyHints } from '../tenancy/tenancy-hints.ts'
import type { ProductTable } from './product-tables.ts'
import { readKnownValues, type KnownValues } from './known-values.ts'
import { readProductFunctions, type ProductFunction } from './product-functions.ts'
import type { Session } from './session.ts'
import { createFindTable, readCatalogTables, type FindTable } from '../sql/catalog-tables.ts'

export interface Product {
  readonly tenancies: Tenancies
  /** Tables whose rows belong to organizations. */
  readonly tables: readonly ProductTable[]
  /** Finds any table that the role may read. */
  readonly findTable: FindTable
  readonly hasIcu: boolean
  readonly values: KnownValues
  readonly functions: readonly ProductFunction[]
}

export async function readProduct(
  session: Session,
  hints: TenancyHints,
  parse: ParseSql,
): Promise<Product> {
  const all = await readCatalogTables(text => session.rows(text))
  const functions = await readProductFunctions(session)
  const tenancies = tenanciesOfDatabase(all, functions, hints)
  const icu = await session.rows("select from pg_collation where collname = 'und-x-icu'")
  return {
    tenancies,
    tables: tablesWithOrganizationRows(all, tenancies),
    findTable: createFindTable(all.filter(({ columns }) => columns.length > 0)),
    hasIcu: icu.length > 0,
    values: await readKnownValues(all, parse),
    functions,
  }
}

/** What is known of the product from the replica's own catalog, before any definition is asked. */
import type { Bytes } from '../../model/terms.ts'
import { readKnownValues, type KnownValues } from './known-values.ts'
import { readProductTables, tableSizes, type ProductTable } from './product-tables.ts'
import { readThrough, type ReadThrough } from './read-through.ts'
import type { Session } from './session.ts'

export interface Product {
  readonly organizationColumn: string
  readonly tables: readonly ProductTable[]
  /** By `tableKey`. */
  readonly sizes: ReadonlyMap<string, Bytes>
  readonly hasIcu: boolean
  readonly values: KnownValues
  readonly readThrough: ReadThrough
}

/** As the product's own column has it. */
export function typeOfId({ tables, organizationColumn }: Product): string {
  const columns = tables.flatMap(({ columns }) => columns)
  return columns.find(({ name }) => name === organizationColumn)?.type ?? 'text'
}

export async function readProduct(session: Session, organizationColumn: string): Promise<Product> {
  const icu = await session.rows("select from pg_collation where collname = 'und-x-icu'")
  return {
    organizationColumn,
    tables: await readProductTables(session, organizationColumn),
    sizes: await tableSizes(session),
    hasIcu: icu.length > 0,
    values: await readKnownValues(session),
    readThrough: await readThrough(session),
  }
}

/** Facts about the product from the replica's system catalogs, read once before the definitions are checked. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { Tenancy } from '../../definitions/tenancy.ts'
import { rowsOf, type RowsOf } from '../../definitions/tenant-rows.ts'
import { catalogFaults, idTypeIn } from '../tenancy/catalog-faults.ts'
import type { FindRelation } from './column-types.ts'
import { productTables, type ProductTable } from './product-tables.ts'
import type { Session } from './session.ts'
import { readCatalogTables } from '../sql/catalog-tables.ts'

export interface Product {
  /** The declared tables that exist. */
  readonly tables: readonly ProductTable[]
  /** By the name that definitions use. */
  readonly findTable: FindRelation<ProductTable>
  /** An organization's rows. */
  readonly rowsOf: RowsOf
  /** Lines of `tenancy.yaml` with errors. */
  readonly wrongLines: ReadonlySet<number | undefined>
  readonly tenancyFindings: readonly FileFinding[]
  /** Facts about all definitions that could not be proved. */
  readonly unproved: readonly string[]
  /** The type of an organization's id. */
  readonly idType: string
}

/** @param knownIdType undefined without an organization */
export async function readProduct(
  session: Session,
  tenancy: Tenancy,
  knownIdType?: string,
): Promise<Product> {
  const all = await readCatalogTables(session.rows)
  const tables = productTables(tenancy, all)
  const byName = new Map(tables.map(table => [table.declared.name, table]))
  const functions = Array.from(tenancy.functions, ([name, { schema }]) => ({ schema, name }))
  const readers = await session.rows({ text: READERS, values: [JSON.stringify(functions)] })
  const idType = knownIdType ?? idTypeIn(tenancy, all)
  const findings = catalogFaults(tenancy, all, idType)
  return {
    tables,
    findTable: ({ name = '', schema, kind }) =>
      schema === undefined && kind === 'table' ? byName.get(name) : undefined,
    rowsOf: rowsOf(tenancy.tables),
    wrongLines: new Set(findings.map(({ line }) => line)),
    tenancyFindings: findings,
    unproved: readers.map(([name]) => `whose rows ${name}() reads`),
    idType,
  }
}

/** Declared functions that may read rows, and those of other organizations. */
const READERS = `
select distinct concat(nullif(nspname, 'public') || '.', proname)
from jsonb_to_recordset($1::jsonb) as declared (schema text, name text)
join pg_namespace on nspname = declared.schema
join pg_proc on pronamespace = pg_namespace.oid and proname = declared.name
join pg_language on pg_language.oid = prolang
where prosecdef
   or lanname not in ('internal', 'c') and provolatile <> 'i'
   or exists (
       select from pg_depend
       where classid = 'pg_proc'::regclass and objid = pg_proc.oid and refclassid = 'pg_class'::regclass
   )
order by 1`

/** How a table relates to organizations: by a column, by a parent row, or shared by all. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { CatalogTable, TableName } from '../sql/catalog-tables.ts'

export type Tenancy =
  | { readonly kind: 'tenant'; readonly column: string }
  | { readonly kind: 'child'; readonly links: readonly Link[] }
  | { readonly kind: 'shared' }
  | {
      readonly kind: 'unknown'
      /** Columns that may hold the organization's id. */
      readonly candidates: readonly string[]
    }

/** The columns with which a child refers to its parent. */
export interface Link {
  readonly parent: string
  readonly columns: readonly string[]
  readonly keys: readonly string[]
}

/** Any name: the columns of the link are unknown. */
export const ANY_NAME = '*'

export interface TableTenancy {
  /** The table's key: `public.orders`; without a database, the name as written. */
  readonly key: string
  readonly tenancy: Tenancy
  /** Undefined without a database. */
  readonly table: CatalogTable | undefined
}

export interface Tenancies {
  /** Undefined for missing tables and system tables. */
  of(relation: TableName): TableTenancy | undefined
  ofKey(key: string): TableTenancy | undefined
  /** Errors in `tenancy.yaml`. */
  readonly findings: readonly FileFinding[]
  /** The product's most frequent name for the column with the organization's id. */
  readonly organizationColumn: string
  /** The type of the organization's id. */
  readonly idType: string
  /** Functions of the product that may read tables. */
  readonly ownFunctions: ReadonlySet<string>
  readonly isOfDatabase: boolean
}

/** The column that identifies organizations: by the access files, else by foreign keys. */
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import {
  createFindTable,
  plainType,
  type CatalogColumn,
  type CatalogTable,
  type ForeignKey,
} from '../sql/catalog-tables.ts'
import { tableColumnsOf } from '../sql/columns.ts'
import { withoutCasts } from '../sql/expressions.ts'
import { readQuery } from '../sql/query.ts'

export interface OrganizationKey {
  /** The table of organizations; undefined if neither the access files nor a foreign key shows it. */
  readonly table: CatalogTable | undefined
  readonly column: string
  /** Whether the access files show it. */
  readonly isOfAccess: boolean
  /** Undefined if the role may read no column that refers to it. */
  readonly type: string | undefined
  /** The most frequent name of the columns that refer to it. */
  readonly name: string
  /** All their names. */
  readonly names: ReadonlySet<string>
}

/** A column as the SQL names it. */
interface NamedColumn {
  readonly schema: string | undefined
  readonly name: string
  readonly column: string
}

/** @param texts SQL of the access files @returns the columns that they select as `organization_id` */
export async function accessColumns(
  texts: readonly string[],
  parse: ParseSql,
): Promise<NamedColumn[]> {
  const parsed = await Promise.all(texts.map(text => parse({ text, placeholders: [] })))
  const queries = parsed.flatMap(({ statements }) => readQuery(statements[0]?.tree) ?? [])
  return queries
    .flatMap(({ selects }) => selects)
    .flatMap(select => {
      const item = select.items.find(({ name }) => name === 'organization_id')
      const columns = item && tableColumnsOf(item.expression, select, { bare: withoutCasts })
      return (columns ?? []).map(({ relation: { schema, name = '' }, name: column }) => ({
        schema,
        name,
        column,
      }))
    })
}

const DEFAULT = 'organization_id'

export function organizationKey(
  tables: readonly CatalogTable[],
  access: readonly NamedColumn[],
): OrganizationKey {
  const find = createFindTable(tables)
  const references = tables.flatMap(table => (table.isPartition ? [] : singleKeys(table)))
  const rootOf = ({ schema, name, column }: NamedColumn, visited: readonly unknown[] = []) => {
    const table = find({ schema, name })
    const key = table && singleKeys(table).find(one => one.columns[0] === column)
    if (key !== undefined && !visited.includes(table))
      return rootOf(targetOf(key), [...visited, table])
    return table === undefined ? [] : [JSON.stringify([table.schema, table.name, column])]
  }
  const ofAccess = mostOf(access.flatMap(one => rootOf(one)))
  const text = ofAccess ?? mostOf(references.flatMap(key => rootOf(targetOf(key))))
  const [schema, tableName, column = '']: string[] = JSON.parse(text ?? '[]')
  const table = text === undefined ? undefined : find({ schema, name: tableName })
  const refers = (key: ForeignKey) =>
    key.schema === schema && key.name === tableName && key.keys[0] === column
  const referring = telling(references.filter(refers).map(key => key.columns[0]!))
  const written = telling([...access.map(one => one.column), column])
  const name = mostOf(referring) ?? mostOf(written) ?? DEFAULT
  const own = table?.columns.find(one => one.name === column)
  const named = tables.flatMap(({ columns }) => columns.filter(one => one.name === name))
  const type = (own ?? named[0])?.type
  const names = new Set([...referring, ...written, name])
  return { table, column, isOfAccess: ofAccess !== undefined, type, name, names }
}

/** why: `id` is the name of any table's own key */
function telling(names: readonly string[]): string[] {
  return names.filter(name => name !== 'id' && name !== '')
}

function targetOf({ schema, name, keys: [column = ''] }: ForeignKey): NamedColumn {
  return { schema, name, column }
}

function singleKeys({ foreignKeys }: CatalogTable): ForeignKey[] {
  return foreignKeys.filter(({ columns }) => columns.length === 1)
}

/** Whether its values compare with the organization's id without a cast. */
export function isIdColumn(
  { type }: Pick<CatalogColumn, 'type'>,
  id: Pick<OrganizationKey, 'type'>,
): boolean {
  const [own, wanted] = [plainType(type), plainType(id.type ?? type)]
  return own === wanted || COMPARABLE.some(types => types.includes(own) && types.includes(wanted))
}

const COMPARABLE = [
  ['smallint', 'integer', 'bigint', 'numeric'],
  ['text', 'character varying', 'character', 'bpchar', 'citext'],
]

/** The most frequent name; the first of them if several are. */
export function mostOf(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

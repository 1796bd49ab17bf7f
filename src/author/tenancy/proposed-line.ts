/** Lines of `tenancy.yaml`: their names in definitions, and their text. */
import { dump } from 'js-yaml'
import type { DeclaredTable, TableTenancy, Tenancy } from '../../definitions/tenancy.ts'
import { tableKey, type CatalogTable } from '../sql/catalog-tables.ts'

/** @param tables get names that are free, the first ones their own */
export function linesFor(
  tables: readonly CatalogTable[],
  declared: Tenancy['tables'],
): (table: CatalogTable, tenancy: TableTenancy) => DeclaredTable {
  const names = new Map<CatalogTable, string>()
  const taken = new Set(declared.keys())
  for (const table of tables) {
    const name = taken.has(table.name) ? `${table.schema}_${table.name}` : table.name
    taken.add(name)
    names.set(table, name)
  }
  return (table, tenancy) => ({
    name: names.get(table)!,
    schema: table.schema,
    table: table.name,
    tenancy,
    columns: table.isReadable ? undefined : table.columns.map(({ name }) => name),
    because: undefined,
    line: 0,
  })
}

/** As `tableKey` of its table. */
export function keyOf({ schema, table: name }: DeclaredTable): string {
  return tableKey({ schema, name })
}

/** `sales: organization_id` */
export function lineText({ name, schema, table, tenancy, columns }: DeclaredTable): string {
  const place = `${schema === 'public' ? '' : `${nameText(schema)}.`}${nameText(table)}`
  const [key, placed] = name === table ? [place, {}] : [nameText(name), { table: place }]
  const more = { ...placed, tenancy: tenancyText(tenancy), ...(columns && { columns }) }
  const value = Object.keys(more).length === 1 ? more.tenancy : more
  return dump({ [key]: value }, { flowLevel: 1, lineWidth: -1, flowBracketPadding: true }).trimEnd()
}

/** Those of the table itself. */
export function columnsOf(tenancy: TableTenancy): string[] {
  if (tenancy.kind === 'shared') return []
  return tenancy.kind === 'tenant' ? [tenancy.column] : tenancy.links.map(({ column }) => column)
}

/** `organization_id`, `via sales (sale_id = id)`, `shared` */
export function tenancyText(tenancy: TableTenancy): string {
  if (tenancy.kind === 'shared') return tenancy.kind
  if (tenancy.kind === 'tenant') return nameText(tenancy.column)
  const links = tenancy.links.map(({ column, key }) => `${nameText(column)} = ${nameText(key)}`)
  return `via ${nameText(tenancy.parent)} (${links.join(', ')})`
}

function nameText(name: string): string {
  const isPlain = /^[^\s".,()=]+$/.test(name) && name !== 'shared' && name !== 'via'
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`
}

/** Tenancy of tables by the database's catalog, and by `tenancy.yaml` for the rest. Executes no queries. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { ProductFunction } from '../check/product-functions.ts'
import { createFindTable, tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import { noTable, wrongColumn, wrongParent } from './declared-tables.ts'
import { columnThrough, linksOf, linksThrough } from './links.ts'
import { idColumnsOf, organizationId } from './organization-id.ts'
import type { DeclaredTable } from './tenancy-file.ts'
import type { TenancyHints } from './tenancy-hints.ts'
import type { TableTenancy, Tenancies, Tenancy } from './tenancy.ts'

/** @param tables all tables of the product */
export function tenanciesOfDatabase(
  tables: readonly CatalogTable[],
  functions: readonly ProductFunction[],
  hints: TenancyHints,
): Tenancies {
  const find = createFindTable(tables)
  const findWritten = (written: string) => {
    const [name, schema] = written.split('.').toReversed()
    return find({ name, schema })
  }
  const id = organizationId(tables, hints, find)
  const known = new Map<string, Tenancy>()
  const findings: FileFinding[] = [...hints.file.findings]
  const declared = new Map<string, DeclaredTable>()
  for (const line of hints.file.tables) {
    const table = findWritten(line.table)
    const wrong =
      table === undefined
        ? noTable(line.table, tables)
        : declared.has(tableKey(table))
          ? `table "${line.table}" again, expected each once`
          : wrongColumn(line, table, id)
    if (wrong !== undefined) findings.push({ file: line.file, line: line.line, message: wrong })
    else if (table !== undefined) declared.set(tableKey(table), line)
  }
  for (const table of tables) {
    const key = tableKey(table)
    const { kind, by = '' } = declared.get(key) ?? {}
    const declaredColumn = kind === 'tenant' ? [by] : []
    const candidates = kind === undefined ? idColumnsOf(table, id, hints) : declaredColumn
    const [column] = candidates
    if (kind === 'shared') known.set(key, { kind })
    else if (candidates.length > 1) known.set(key, { kind: 'unknown', candidates })
    else if (column !== undefined) known.set(key, { kind: 'tenant', column })
  }
  // why: a child's parent may be a child itself, in any order of tables
  for (let before = -1; before !== known.size;) {
    before = known.size
    for (const table of tables.filter(one => !known.has(tableKey(one)))) {
      const key = tableKey(table)
      const line = declared.get(key)
      const parent = line && findWritten(line.by)
      const hasUnknownParent = line !== undefined && parent === undefined
      const links = (hasUnknownParent ? [] : linksOf(table, parent)).filter(link => {
        const { kind } = known.get(link.parent) ?? {}
        return link.parent !== key && (kind === 'tenant' || kind === 'child')
      })
      const all = links.flatMap(link => [link, ...linksThrough(link, known.get(link.parent))])
      const [column] = links.flatMap(link => columnThrough(link, known.get(link.parent)))
      if (column !== undefined) known.set(key, { kind: 'tenant', column })
      else if (links.length > 0) known.set(key, { kind: 'child', links: all })
    }
  }
  for (const [key, line] of declared) {
    if (known.has(key)) continue
    const { file, table, by } = line
    const parent = findWritten(by)
    const lineOf = (name: string) => {
      const found = findWritten(name)
      return found && declared.get(tableKey(found))
    }
    const message =
      parent === undefined
        ? `${table}: ${noTable(by, tables)}`
        : (wrongParent(line, lineOf) ??
          `${table}: ${by} belongs to no organization, expected a table that does, or its own line`)
    findings.push({ file, line: line.line, message })
  }
  const tenancyByKey = new Map(
    tables.map((table): [string, TableTenancy] => {
      const key = tableKey(table)
      return [key, { key, tenancy: known.get(key) ?? { kind: 'unknown', candidates: [] }, table }]
    }),
  )
  return {
    of: named => {
      const table = find(named)
      return table && tenancyByKey.get(tableKey(table))
    },
    ofKey: key => tenancyByKey.get(key),
    findings,
    organizationColumn: id.name,
    idType: id.type,
    ownFunctions: new Set(
      functions.filter(({ mayReadTables }) => mayReadTables).map(({ name }) => name),
    ),
    isOfDatabase: true,
  }
}

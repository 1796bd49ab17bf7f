/** Tenancy of tables by the database's catalog, and by `tenancy.yaml` for the rest. Executes no queries. */
import type { FileFinding } from '../../definitions/findings.ts'
import type { ProductFunction } from '../check/product-functions.ts'
import { createFindTable, plainType, tableKey, type CatalogTable } from '../sql/catalog-tables.ts'
import { noTable, wrongColumn, wrongParent } from './declared-tables.ts'
import { columnThrough, linksOf, linksThrough } from './links.ts'
import { idColumnsOf, organizationId } from './organization-id.ts'
import type { DeclaredTable } from './tenancy-file.ts'
import type { TenancyHints } from './tenancy-hints.ts'
import type { Link, TableTenancy, Tenancies, Tenancy } from './tenancy.ts'

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
  const directLinks = new Map<string, Link[]>()
  for (const table of tables) {
    const key = tableKey(table)
    const line = declared.get(key)
    const parent = line && findWritten(line.by)
    if (known.has(key) || (line !== undefined && parent === undefined)) continue
    directLinks.set(
      key,
      linksOf(table, parent).filter(link => link.parent !== key),
    )
  }
  // why: a child's parent may be a child itself, in any order of tables
  const addAll = (tenancyOf: (links: readonly Link[]) => Tenancy | undefined) => {
    for (let before = -1; before !== known.size;) {
      before = known.size
      for (const [key, links] of directLinks) {
        const tenancy = known.has(key) ? undefined : tenancyOf(links)
        if (tenancy !== undefined) known.set(key, tenancy)
      }
    }
  }
  addAll(links => {
    const [column] = links.flatMap(link => columnThrough(link, known.get(link.parent)))
    return column === undefined ? undefined : { kind: 'tenant', column }
  })
  const isOfOrganizations = ({ parent }: Link) =>
    ['tenant', 'child'].includes(known.get(parent)?.kind ?? '')
  addAll(links => (links.some(isOfOrganizations) ? { kind: 'child', links: [] } : undefined))
  const parentsOf = (key: string) =>
    known.get(key)?.kind === 'child' ? directLinks.get(key)!.filter(isOfOrganizations) : []
  for (const key of directLinks.keys()) {
    const links = parentsOf(key).flatMap(link =>
      [link].concat(linksThrough(link, parentsOf, [key])),
    )
    if (links.length > 0) known.set(key, { kind: 'child', links })
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
    // why: a cast to `character` truncates to a length of 1
    idType: plainType(id.type).replace(/^character$/, 'bpchar'),
    ownFunctions: new Set(
      functions.filter(({ mayReadTables }) => mayReadTables).map(({ name }) => name),
    ),
    isOfDatabase: true,
  }
}

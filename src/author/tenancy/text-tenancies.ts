/** Tenancy of tables by the definitions and `tenancy.yaml` alone, without a database. */
import type { TableName } from '../sql/catalog-tables.ts'
import { wrongParent } from './declared-tables.ts'
import { mostOf } from './organization-id.ts'
import { ANY_NAME, type TableTenancy, type Tenancies, type Tenancy } from './tenancy.ts'
import type { DeclaredTable } from './tenancy-file.ts'
import type { NamedColumn, TenancyHints } from './tenancy-hints.ts'

export function tenanciesOfText({ file, compared }: TenancyHints): Tenancies {
  const organizationColumn = mostOf(compared.map(({ column }) => column)) ?? 'organization_id'
  const declared = new Map(file.tables.map(table => [table.table, table]))
  const findings = file.tables.flatMap(table => {
    const message = wrongParent(table, name => declared.get(name))
    return message === undefined ? [] : [{ file: table.file, line: table.line, message }]
  })
  const keyOf = ({ name = '', schema }: TableName) => {
    const whole = schema === undefined ? name : `${schema}.${name}`
    return declared.has(whole) || schema === undefined ? whole : name
  }
  const isOf = (key: string) => (named: NamedColumn) =>
    keyOf({ name: named.table, schema: named.schema }) === key
  const ofKey = (key: string): TableTenancy => {
    const line = declared.get(key)
    if (line !== undefined) return { key, tenancy: tenancyOf(line), table: undefined }
    const column = mostOf(compared.filter(isOf(key)).map(({ column }) => column))
    const tenancy: Tenancy =
      column === undefined ? { kind: 'unknown', candidates: [] } : { kind: 'tenant', column }
    return { key, tenancy, table: undefined }
  }
  return {
    of: named => (isSystem(named) ? undefined : ofKey(keyOf(named))),
    ofKey,
    findings: [...file.findings, ...findings],
    organizationColumn,
    idType: 'text',
    ownFunctions: new Set(),
    isOfDatabase: false,
  }
}

function isSystem({ name = '', schema }: TableName): boolean {
  return (
    schema === 'information_schema' ||
    ((schema ?? 'pg_catalog') === 'pg_catalog' && name.startsWith('pg_'))
  )
}

function tenancyOf({ kind, by }: DeclaredTable): Tenancy {
  if (kind === 'shared') return { kind }
  if (kind === 'tenant') return { kind, column: by }
  return { kind, links: [{ parent: by, columns: [ANY_NAME], keys: [ANY_NAME] }] }
}

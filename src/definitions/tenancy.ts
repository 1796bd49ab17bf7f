/**
 * `tenancy.yaml`: to which organization the rows of each table belong. Definitions may read only tables that it
 * declares, and the gateway reads those with its own condition.
 */
import { suggest } from '../model/spelling.ts'
import { findingsOf, type FileFinding, type Finding } from './findings.ts'
import { readYaml } from './front-matter.ts'
import { TENANCY_EXPECTED, TENANCY_SCHEMA, type TableMatter } from './schemas.ts'

/** How rows belong to organizations: by their own column, by their parent's row, or to all. */
export type TableTenancy =
  | { readonly kind: 'tenant'; readonly column: string }
  | { readonly kind: 'child'; readonly parent: string; readonly links: readonly Link[] }
  | { readonly kind: 'shared' }

/** A column of the child that equals a key of its parent. */
export interface Link {
  readonly column: string
  readonly key: string
}

export interface DeclaredTable {
  /** As definitions name it, without a schema. */
  readonly name: string
  readonly schema: string
  /** The name in its schema. */
  readonly table: string
  readonly tenancy: TableTenancy
  /** The only columns that definitions may read; undefined for all. */
  readonly columns: readonly string[] | undefined
  /** Why a table that refers to organizations is shared nevertheless. */
  readonly because: string | undefined
  readonly line: number
}

export interface DeclaredFunction {
  readonly schema: string
  readonly line: number
}

export interface Tenancy {
  /** As messages name it: `sql/tenancy.yaml`. */
  readonly file: string
  /** By the name that definitions use. */
  readonly tables: ReadonlyMap<string, DeclaredTable>
  /** Functions outside of `pg_catalog` that definitions may call, by the name that they use. */
  readonly functions: ReadonlyMap<string, DeclaredFunction>
  /** Extensions whose functions operators, casts, aggregates and domains may call. */
  readonly extensions: ReadonlySet<string>
  /** Tables, and functions with `()`, whose lines have findings. */
  readonly broken: ReadonlySet<string>
}

/** No table may be read. */
export const NO_TENANCY: Tenancy = {
  file: 'sql/tenancy.yaml',
  tables: new Map(),
  functions: new Map(),
  extensions: new Set(),
  broken: new Set(),
}

export const TENANCY_FILE = 'tenancy.yaml'
/** A child, its parent and the parent's parent. */
export const MAX_LEVELS = 3

/** @returns only lines without findings, none if it is not readable; `a.b: c` is a table of another schema, `f(): shared` a function, `extension e: shared` an extension */
export function parseTenancy(
  text: string,
  file: string,
): { readonly tenancy: Tenancy | undefined; readonly findings: readonly FileFinding[] } {
  const { matter, findings, lineOf } = readYaml(text, 0, text.length, TENANCY_SCHEMA)
  if (matter === undefined) return { tenancy: undefined, findings: findingsOf(file, findings) }
  const tables = new Map<string, DeclaredTable>()
  const functions = new Map<string, DeclaredFunction>()
  const extensions = new Set<string>()
  const broken = new Set<string>()
  const faults: Finding[] = []
  for (const [key, value] of Object.entries(matter)) {
    const line = lineOf([key])
    const add = (message: string) => {
      faults.push({ line, message: `${key}: ${message}` })
      broken.add(namesIn(key).at(-1) ?? key)
    }
    const [, extension] = EXTENSION.exec(key) ?? []
    if (extension !== undefined) {
      if (value === 'shared') extensions.add(unquoted(extension))
      else add('expected "shared", for an extension whose functions read no rows of tenants')
      continue
    }
    if (key.endsWith('()')) {
      const [name = '', schema = 'public', ...more] = namesIn(key.slice(0, -2)).toReversed()
      const same = functions.get(name)
      if (value !== 'shared') add('expected "shared", for a function that reads no rows of tenants')
      else if (name === '' || more.length > 0)
        add(`found the function "${key}", expected a name, or a schema and a name`)
      else if (same !== undefined)
        add(`line ${same.line} has a function of that name, expected each name once`)
      else functions.set(name, { schema, line })
      continue
    }
    const table = tableIn(key, typeof value === 'string' ? { tenancy: value } : value, line)
    if (typeof table === 'string') {
      add(table)
      continue
    }
    const { name, schema, table: inSchema } = table
    const named = tables.get(name)
    const same = [...tables.values()].find(one => one.schema === schema && one.table === inSchema)
    if (same !== undefined) add(`line ${same.line} has this table, expected each table once`)
    else if (named === undefined) tables.set(name, table)
    else
      add(
        `line ${named.line} has a table of that name, expected another name and "table: ${schema}.${inSchema}"`,
      )
  }
  const orphans = [...tables.values()].flatMap(table => {
    const message = parentFault(table, tables, broken)
    return message === undefined ? [] : [{ table, message }]
  })
  for (const { table, message } of orphans) {
    if (message !== null) faults.push({ line: table.line, message: `${table.name}: ${message}` })
    tables.delete(table.name)
    broken.add(table.name)
  }
  return {
    tenancy: { file, tables, functions, extensions, broken },
    findings: findingsOf(file, faults),
  }
}

/** @returns what is wrong as text */
function tableIn(
  key: string,
  { tenancy: written, table: place, columns, because }: TableMatter,
  line: number,
): DeclaredTable | string {
  const tenancy = tenancyIn(written)
  if (tenancy === undefined) return `found "${written}", expected ${TENANCY_EXPECTED}`
  const [table = '', schema = 'public', ...more] = namesIn(place ?? key).toReversed()
  const [name = '', ...others] = place === undefined ? [table] : namesIn(key)
  if (table === '' || more.length > 0)
    return `found the table "${place ?? key}", expected a name, or a schema and a name`
  if (isSystemName(table, schema) || isSystemName(name, ''))
    return 'names of PostgreSQL itself, as those that begin with pg_, expected a table of the product'
  if (name === '' || others.length > 0) return 'found a schema, expected it in "table" alone'
  if (because !== undefined && tenancy.kind !== 'shared')
    return `because: found for "${written}", expected for "shared" only`
  return { name, schema, table, tenancy, columns, because, line }
}

export function isSystemName(table: string, schema: string): boolean {
  return /^(pg_.*|information_schema)$/.test(schema) || table.startsWith('pg_')
}

const NAME = String.raw`(?:"(?:[^"]|"")+"|[^\s".,()=]+)`
const CHILD = new RegExp(String.raw`^via\s+(${NAME})\s*\(\s*(.+?)\s*\)$`)
const LINK = new RegExp(String.raw`^(${NAME})\s*=\s*(${NAME})$`)
const EXTENSION = new RegExp(String.raw`^extension\s+(${NAME})$`)
/** Outside of quotes. */
const COMMA = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/
const COLUMN = new RegExp(`^${NAME}$`)

function tenancyIn(text: string): TableTenancy | undefined {
  const trimmed = text.trim()
  if (trimmed === 'shared') return { kind: 'shared' }
  if (COLUMN.test(trimmed) && trimmed !== 'via')
    return { kind: 'tenant', column: unquoted(trimmed) }
  const [, parent = '', pairs = ''] = CHILD.exec(trimmed) ?? []
  const links = pairs.split(COMMA).map(pair => LINK.exec(pair.trim()))
  if (parent === '' || links.includes(null)) return undefined
  return {
    kind: 'child',
    parent: unquoted(parent),
    links: links.map(link => ({ column: unquoted(link![1]!), key: unquoted(link![2]!) })),
  }
}

/** `tracking."Scans"` is two names; empty if it is not names. */
function namesIn(text: string): string[] {
  const parts = text.match(/"(?:[^"]|"")+"|[^".]+/g) ?? []
  return parts.join('.') === text ? parts.map(unquoted) : []
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
}

/** @returns null if the line of a table above has a finding */
function parentFault(
  { name, tenancy }: DeclaredTable,
  tables: Tenancy['tables'],
  broken: Tenancy['broken'],
): string | null | undefined {
  const visited = [name]
  for (let at = tenancy; at.kind === 'child';) {
    const { parent } = at
    const above = tables.get(parent)
    if (broken.has(parent)) return null
    if (above === undefined)
      return `there is no line of its parent "${parent}", ${suggest(parent, tables.keys())}`
    if (visited.includes(parent))
      return `is its own parent, via ${parent}, expected a table of organizations`
    if (above.tenancy.kind === 'shared')
      return `has the parent ${parent}, which is shared, expected a table of organizations`
    visited.push(parent)
    if (visited.length > MAX_LEVELS + 1)
      return `is more than ${MAX_LEVELS} levels below a table of organizations, expected its own column`
    at = above.tenancy
  }
  return undefined
}

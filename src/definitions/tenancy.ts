/**
 * `tenancy.yaml`: to which organization the rows of each table belong. Definitions may read only tables that it
 * declares, and the gateway reads those with its own condition.
 */
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Node } from 'yaml'
import { suggest } from '../model/spelling.ts'
import type { FileFinding } from './findings.ts'

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

export interface Tenancy {
  /** As messages name it: `sql/tenancy.yaml`. */
  readonly file: string
  /** By the name that definitions use. */
  readonly tables: ReadonlyMap<string, DeclaredTable>
  /** Functions outside of `pg_catalog` that definitions may call, as they are called: `slug`, `tools.slug`. */
  readonly functions: ReadonlyMap<string, { readonly line: number }>
}

/** No table may be read. */
export const NO_TENANCY: Tenancy = {
  file: 'sql/tenancy.yaml',
  tables: new Map(),
  functions: new Map(),
}

export const TENANCY_FILE = 'tenancy.yaml'
const SHARED = 'shared'
const EXPECTED = `expected a column, "via <table> (<column> = <key>)" or "${SHARED}"`
const KEYS = ['table', 'tenancy', 'columns', 'because']
/** A child, its parent and the parent's parent. */
const MAX_LEVELS = 3

/** @returns only tables without findings; `a.b: c` is a table of another schema, `f(): shared` a function */
export function parseTenancy(
  text: string,
  file: string,
): { readonly tenancy: Tenancy; readonly findings: readonly FileFinding[] } {
  const counter = new LineCounter()
  const { contents, errors } = parseDocument(text, { lineCounter: counter, prettyErrors: false })
  const findings: FileFinding[] = []
  const tables = new Map<string, DeclaredTable>()
  const functions = new Map<string, { line: number }>()
  const lineOf = (offset = 0) => counter.linePos(offset).line
  const add = (line: number, message: string) => void findings.push({ file, line, message })
  const error = errors.find(({ code }) => code !== 'DUPLICATE_KEY')
  if (error !== undefined) add(lineOf(error.pos[0]), `YAML: ${error.message}`)
  else if (contents !== null && !isMap(contents))
    add(
      lineOf(contents.range?.[0]),
      'found no map, expected a line for each table, as "orders: shop_id"',
    )
  const entries = error === undefined && isMap(contents) ? contents.items : []
  const written = new Set<string>()
  for (const { key, value } of entries) {
    const line = lineOf((isNode(key) ? key.range?.[0] : undefined) ?? 0)
    const name = isScalar(key) ? String(key.value) : ''
    const isFunction = name.endsWith('()')
    const found = isFunction ? functionIn(value) : tableIn(name, value, line)
    if (written.has(name)) add(line, `"${name}" again, expected each once`)
    else if (typeof found === 'string') add(line, `${name}: ${found}`)
    else if (found === undefined) functions.set(name.slice(0, -2), { line })
    else if (tables.has(found.name))
      add(
        line,
        `"${found.name}" is also in line ${tables.get(found.name)!.line}, expected another name, and the table as "table: ${found.schema}.${found.table}"`,
      )
    else tables.set(found.name, found)
    written.add(name)
  }
  const orphans = [...tables.values()].flatMap(table => {
    const message = parentFault(table, tables)
    return message === undefined ? [] : [{ table, message }]
  })
  for (const { table, message } of orphans) {
    add(table.line, `${table.name}: ${message}`)
    tables.delete(table.name)
  }
  return { tenancy: { file, tables, functions }, findings }
}

function functionIn(value: unknown): string | undefined {
  const found = isScalar(value) ? String(value.value) : 'more'
  return found === SHARED
    ? undefined
    : `found "${found}", expected "${SHARED}": a function that reads no tenant's rows`
}

/** @returns what is wrong as text */
function tableIn(key: string, value: Node | null, line: number): DeclaredTable | string {
  const all: Record<string, unknown> = isMap(value)
    ? (value.toJSON() as object as never)
    : { tenancy: isScalar(value) ? value.value : value }
  const wrong = Object.keys(all).find(name => !KEYS.includes(name))
  if (wrong !== undefined) return `found "${wrong}", ${suggest(wrong, KEYS)}`
  const { tenancy: text, table: place = key, columns, because } = all
  if (typeof text !== 'string') return `found no text, ${EXPECTED}`
  const tenancy = tenancyIn(text)
  if (tenancy === undefined) return `found "${text}", ${EXPECTED}`
  const parts = typeof place === 'string' ? namesIn(place) : []
  const [table = '', schema = 'public', more] = parts.toReversed()
  if (table === '' || more !== undefined)
    return `table: found "${String(place)}", expected a name, or a schema and a name`
  if (isSystemName(table, schema))
    return 'is a table of PostgreSQL itself, expected one of the product'
  const [name = ''] = all['table'] === undefined ? [table] : namesIn(key)
  if (all['table'] !== undefined && namesIn(key).length !== 1)
    return 'found a schema, expected it in "table" alone'
  if (name === '' || name.startsWith('pg_'))
    return `found the name "${name}", expected one that does not begin with pg_`
  if (columns !== undefined && !isNames(columns))
    return 'columns: expected a list of names, such as [id, amount]'
  if (because !== undefined && typeof because !== 'string') return 'because: expected a sentence'
  if (because !== undefined && tenancy.kind !== SHARED)
    return `because: found for ${text}, expected for "${SHARED}" only`
  return { name, schema, table, tenancy, columns, because, line }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string')
}

export function isSystemName(table: string, schema: string): boolean {
  return /^(pg_.*|information_schema)$/.test(schema) || table.startsWith('pg_')
}

const NAME = String.raw`(?:"(?:[^"]|"")+"|[^\s".,()=]+)`
const CHILD = new RegExp(String.raw`^via\s+(${NAME})\s*\(\s*(.+?)\s*\)$`)
const LINK = new RegExp(String.raw`^(${NAME})\s*=\s*(${NAME})$`)
const COLUMN = new RegExp(`^${NAME}$`)

function tenancyIn(text: string): TableTenancy | undefined {
  const trimmed = text.trim()
  if (trimmed === SHARED) return { kind: SHARED }
  if (COLUMN.test(trimmed) && trimmed !== 'via')
    return { kind: 'tenant', column: unquoted(trimmed) }
  const [, parent = '', pairs = ''] = CHILD.exec(trimmed) ?? []
  const links = pairs.split(',').map(pair => LINK.exec(pair.trim()))
  if (parent === '' || links.includes(null)) return undefined
  return {
    kind: 'child',
    parent: unquoted(parent),
    links: links.map(link => ({ column: unquoted(link![1]!), key: unquoted(link![2]!) })),
  }
}

/** `tracking."Scans"` is two names; empty if it is not names. */
function namesIn(text: string): string[] {
  const parts = text.match(new RegExp(NAME, 'g')) ?? []
  return parts.join('.') === text ? parts.map(unquoted) : []
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
}

function parentFault(
  { name, tenancy }: DeclaredTable,
  tables: ReadonlyMap<string, DeclaredTable>,
): string | undefined {
  const visited = [name]
  for (let at = tenancy; at.kind === 'child';) {
    const { parent } = at
    const above = tables.get(parent)
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

/** What a server says of the objects that definitions name, and which of them a definition may not use. */
import type { DefinitionSource } from './definition.ts'
import type { Finding } from './findings.ts'
import { orDeclared } from './isolate.ts'
import type { NamedObject } from './named-objects.ts'
import type { DeclaredTable, Tenancy } from './tenancy.ts'
import { qualified, withParents } from './tenant-rows.ts'

type Source = Pick<DefinitionSource, 'objects' | 'tables' | 'tenancy' | 'firstLine'>

interface ServerFunction {
  readonly schema: string
  readonly name: string
  readonly leastArguments: number
  /** For a variadic function, PostgreSQL's limit. */
  readonly mostArguments: number
  readonly isVolatile: boolean
  /** Whether its first argument may be a row. */
  readonly takesRow: boolean
}

type FunctionName = Pick<ServerFunction, 'schema' | 'name'>

/** A function outside of `pg_catalog` that something else calls. */
interface HiddenCall extends FunctionName {
  /** `operator =`, `the cast to citext`, or an aggregate: `median()`. */
  readonly caller: string
  readonly extension: string | null
}

/** The result of `SERVER_OBJECTS`, in JSON. */
export interface ServerObjects {
  readonly role: string
  readonly encoding: string
  /** Schemas in the order in which names are looked up. */
  readonly searchPath: readonly string[]
  readonly functions: readonly ServerFunction[]
  readonly hidden: readonly HiddenCall[]
  /** Those of tables that have the name of a function, behind the qualified table. */
  readonly columns: readonly string[]
  /** Tables, qualified, of which row-level security may hide rows from the role. */
  readonly filtered: readonly string[]
}

/** The parameter of `SERVER_OBJECTS`. */
export function questionFor(sources: readonly Source[]): string {
  const named = sources.flatMap(({ objects }) => objects).filter(({ kind }) => kind !== 'operator')
  return JSON.stringify({
    functions: [...new Set(named.map(({ name }) => name))],
    tables: [...new Set(sources.flatMap(tablesRead))],
  })
}

/** Those of its tables and of their parents, qualified. */
function tablesRead({ tables, tenancy }: Source): string[] {
  return tables.flatMap(table => withParents(table, tenancy.tables).map(qualified))
}

const CASTS = 'the cast to '

/** Whatever PostgreSQL itself would accept: with a finding, the definition must not be executed. */
export function serverFindings(source: Source, server: ServerObjects): Finding[] {
  const { objects, tenancy, firstLine } = source
  const { role, encoding, searchPath, filtered } = server
  const first = searchPath.find(schema => !schema.startsWith('pg_temp_'))
  const ofSession = [
    // why: the parser folds and truncates names as for UTF-8, so two names of the server may be one for it
    encoding !== 'UTF8' &&
      `the encoding of the database is ${encoding}, expected UTF8: others read names differently`,
    first !== 'pg_catalog' &&
      `the search_path of the role ${role} has ${first} before pg_catalog, expected pg_catalog first or none: operators and types would be those of ${first}`,
  ].filter(message => message !== false)
  const ofTables = tablesRead(source)
    .filter(table => filtered.includes(table))
    .map(
      table =>
        `row-level security hides rows of ${table} from the role ${role}, expected bypassrls, or a policy using (true) for it`,
    )
  // why: no name in the text shows a cast or a domain, since arrays and rows cast their elements
  const ofAll = [...ofSession, ...ofTables, ...hiddenFaults(CASTS, tenancy, server)]
  const all = [
    ...objects.flatMap(one =>
      faultsOf(one, tenancy, server).map(message => ({ line: one.line, message })),
    ),
    ...ofAll.map(message => ({ line: firstLine, message })),
  ]
  return [...new Map(all.map(one => [one.message, one])).values()]
}

function faultsOf(one: NamedObject, tenancy: Tenancy, server: ServerObjects): string[] {
  const { kind, name, written } = one
  const called = server.functions.filter(call => call.name === name)
  if (kind === 'function')
    return [...callFaults(one, called, tenancy), ...hiddenFaults(`${name}()`, tenancy, server)]
  if (kind === 'operator') return hiddenFaults(`operator ${name}`, tenancy, server)
  if (isColumn(one, tenancy, server)) return []
  const isKeyword = kind === 'keyword'
  const fitting = called.filter(
    call => isKeyword || (fits(call, 1) && (kind === 'field' || call.takesRow)),
  )
  const isVolatile = fitting.some(call => call.schema === 'pg_catalog' && call.isVolatile)
  if (kind === 'field' && isVolatile) return [volatile(written)]
  const other = fitting.find(call => isUndeclared(call, tenancy))
  if (other === undefined) return []
  const condition = isKeyword ? 'before PostgreSQL 17' : 'if there is no such column'
  return [`${written} calls ${name}() ${condition}, ${mayRead(other, tenancy)}`]
}

/** Whether each relation that it may refer to is a table with this column. */
function isColumn(
  { name, relations }: NamedObject,
  { tables }: Tenancy,
  { columns }: ServerObjects,
): boolean {
  const all = [...(relations ?? [])].map(relation => tables.get(relation))
  const has = (table?: DeclaredTable) =>
    table?.columns?.includes(name) !== false &&
    columns.includes(`${table && qualified(table)}.${name}`)
  return all.length > 0 && all.every(has)
}

function hiddenFaults(callers: string, tenancy: Tenancy, { hidden }: ServerObjects): string[] {
  return hidden.flatMap(call => {
    const { caller, name, extension } = call
    const isCalled = caller === callers || (callers === CASTS && caller.startsWith(CASTS))
    if (!isCalled || !isUndeclared(call, tenancy)) return []
    if (extension === null) return [`${caller} calls ${name}(), ${mayRead(call, tenancy)}`]
    if (tenancy.extensions.has(extension)) return []
    return [`the extension ${extension} is used, ${mayRead(call, tenancy)}`]
  })
}

function isUndeclared({ schema, name }: FunctionName, { functions }: Tenancy): boolean {
  return schema !== 'pg_catalog' && functions.get(name)?.schema !== schema
}

function callFaults(
  { name, written, schema, argumentCount }: NamedObject,
  called: readonly ServerFunction[],
  { functions, file }: Tenancy,
): string[] {
  const declared = schema === undefined ? functions.get(name) : undefined
  const meant = called.filter(one => one.schema === (declared?.schema ?? 'pg_catalog'))
  if (meant.some(one => one.isVolatile && fits(one, argumentCount)))
    return [volatile(`${written}()`)]
  if (meant.length > 0) return []
  if (declared !== undefined)
    return [
      `${declared.schema}.${name}() does not exist, expected what ${file}:${declared.line} declares`,
    ]
  const [other] = called
  const orLine = other === undefined ? '' : `, ${orDeclared(keyOf(other), file)}`
  return [`${written}() is no function of pg_catalog, expected one${orLine}`]
}

function fits({ leastArguments, mostArguments }: ServerFunction, count: number): boolean {
  return leastArguments <= count && count <= mostArguments
}

function volatile(written: string): string {
  return `${written} is volatile, so its value differs each time, expected a function that is stable or immutable`
}

function mayRead(call: FunctionName & Partial<HiddenCall>, { file }: Tenancy): string {
  const key = call.extension ? `extension ${call.extension}` : `${keyOf(call)}()`
  return `which may read rows of any organization, expected, if it reads none, its line in ${file}, as "${key}: shared"`
}

/** As `tenancy.yaml` names it. */
function keyOf({ schema, name }: FunctionName): string {
  return schema === 'public' ? name : `${schema}.${name}`
}

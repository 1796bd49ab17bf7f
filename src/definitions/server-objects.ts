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
  const named = sources.flatMap(({ objects }) => objects)
  const namesOf = (...kinds: ReadonlyArray<NamedObject['kind']>) => [
    ...new Set(named.flatMap(({ kind, name }) => (kinds.includes(kind) ? [name] : []))),
  ]
  return JSON.stringify({
    functions: namesOf('function', 'keyword', 'field', 'field of a row'),
    tables: [...new Set(sources.flatMap(source => tablesRead(source)))],
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
  const ofObjects = objects.flatMap(one =>
    faultsOf(one, tenancy, server).map(message => ({ line: one.line, message })),
  )
  const ofTables = [...new Set(tablesRead(source))]
    .filter(table => server.filtered.includes(table))
    .map(table => ({
      line: firstLine,
      message: `row-level security hides rows of ${table} from the role ${server.role}, expected bypassrls, or a policy using (true) for it`,
    }))
  // why: no name in the text shows a cast or a domain, since arrays and rows cast their elements
  const ofCasts = hiddenFaults(CASTS, tenancy, server).map(message => ({
    line: firstLine,
    message,
  }))
  const all = [...sessionFindings(source, server), ...ofObjects, ...ofTables, ...ofCasts]
  return [...new Map(all.map(one => [one.message, one])).values()]
}

/** Names would not be those that the parser and the gateway's own SQL mean. */
function sessionFindings(
  { firstLine }: Source,
  { role, encoding, searchPath }: ServerObjects,
): Finding[] {
  const messages: string[] = []
  // why: the parser folds and truncates names as for UTF-8, so two names of the server may be one for it
  if (encoding !== 'UTF8')
    messages.push(
      `the encoding of the database is ${encoding}, expected UTF8: others read names differently`,
    )
  const first = searchPath.find(schema => !schema.startsWith('pg_temp_'))
  if (first !== 'pg_catalog')
    messages.push(
      `the search_path of the role ${role} has ${first} before pg_catalog, expected pg_catalog first or none: operators and types would be those of ${first}`,
    )
  return messages.map(message => ({ line: firstLine, message }))
}

function faultsOf(one: NamedObject, tenancy: Tenancy, server: ServerObjects): string[] {
  const called = server.functions.filter(({ name }) => name === one.name)
  switch (one.kind) {
    case 'function':
      return [
        ...callFaults(one, called, tenancy),
        ...hiddenFaults(`${one.name}()`, tenancy, server),
      ]
    case 'operator':
      return hiddenFaults(`operator ${one.name}`, tenancy, server)
    case 'keyword':
      return called
        .filter(call => call.schema !== 'pg_catalog' && isUndeclared(call, tenancy))
        .slice(0, 1)
        .map(
          call => `${one.name} calls ${one.name}() before PostgreSQL 17, ${mayRead(call, tenancy)}`,
        )
    default: {
      if (isColumn(one, tenancy, server)) return []
      const isOfRow = one.kind === 'field of a row'
      const fitting = called.filter(call => fits(call, 1) && (!isOfRow || call.takesRow))
      const own = fitting.filter(({ schema }) => schema === 'pg_catalog')
      if (!isOfRow && own.some(({ isVolatile }) => isVolatile)) return [volatile(one.written)]
      const other = fitting.find(
        call => call.schema !== 'pg_catalog' && isUndeclared(call, tenancy),
      )
      if (other === undefined) return []
      return [
        `${one.written} calls ${one.name}() if there is no such column, ${mayRead(other, tenancy)}`,
      ]
    }
  }
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
  return functions.get(name)?.schema !== schema
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

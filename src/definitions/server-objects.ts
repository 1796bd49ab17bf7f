/** What a server says of the objects that definitions name, and which of them a definition may not use. */
import type { DefinitionSource } from './definition.ts'
import type { Finding } from './findings.ts'
import { orDeclared } from './isolate.ts'
import type { NamedObject } from './named-objects.ts'
import type { Tenancy } from './tenancy.ts'
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

/** A function outside of `pg_catalog` that is not immutable, and in a language that can read tables. */
interface HiddenCall {
  readonly schema: string
  readonly name: string
  /** The operator or the type. */
  readonly of: string
}

/** The result of `SERVER_OBJECTS`, in JSON. */
export interface ServerObjects {
  readonly role: string
  readonly encoding: string
  /** Schemas in the order in which names are looked up. */
  readonly searchPath: readonly string[]
  readonly functions: readonly ServerFunction[]
  readonly operators: readonly HiddenCall[]
  readonly casts: readonly HiddenCall[]
  /** Tables, qualified, of which row-level security may hide rows from the role. */
  readonly filtered: readonly string[]
}

/** Takes the result of `questionFor`, and returns `ServerObjects`. */
export const SERVER_OBJECTS = `
with recursive asked as (select $1::text::json as names),
called as (
    select pg_proc.oid, nspname as schema, proname as name, provolatile, prolang, pronargs, pronargdefaults,
        provariadic, proargtypes,
        provolatile <> 'i' and lanname not in ('internal', 'c') and nspname <> 'pg_catalog' as may_read
    from pg_proc
    join pg_namespace on pg_namespace.oid = pronamespace
    join pg_language on pg_language.oid = prolang
    where prokind <> 'p'
),
-- relations that are read as the role: tables, and those of views with security_invoker
relations as (
    select asked_table.value as table, pg_class.oid, reloptions
    from asked, json_array_elements_text(names -> 'tables') as asked_table
    join pg_class on pg_class.oid = to_regclass(asked_table.value)
    union
    select relations.table, pg_class.oid, pg_class.reloptions
    from relations
    join pg_rewrite on ev_class = relations.oid
    join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
    join pg_class on refclassid = 'pg_class'::regclass and pg_class.oid = refobjid
    where exists (
        select from pg_options_to_table(relations.reloptions)
        where option_name = 'security_invoker' and option_value::boolean
    )
),
filtered as (
    select distinct relations.table
    from relations
    where row_security_active(relations.oid) and (
        select count(*) filter (where polpermissive and pg_get_expr(polqual, polrelid) = 'true') = 0
            or count(*) filter (where not polpermissive) > 0
        from pg_policy
        where polrelid = relations.oid and polcmd in ('*', 'r')
          and exists (select from unnest(polroles) as role where role = 0 or pg_has_role(role, 'usage'))
    )
)
select json_build_object(
    'role', current_user,
    'encoding', getdatabaseencoding(),
    'searchPath', array_to_json(current_schemas(true)),
    'functions', (
        select coalesce(json_agg(json_build_object(
            'schema', schema, 'name', name, 'isVolatile', provolatile = 'v',
            'leastArguments', pronargs - pronargdefaults,
            'mostArguments', case when provariadic = 0 then pronargs else 100 end,
            'takesRow', (select typtype in ('c', 'd', 'p') from pg_type where pg_type.oid = proargtypes[0])
        )), '[]')
        from called where name in (select json_array_elements_text(names -> 'functions') from asked)
    ),
    'operators', (
        select coalesce(json_agg(json_build_object('of', oprname, 'schema', schema, 'name', name)), '[]')
        from pg_operator
        join called on called.oid = oprcode
        where may_read and oprname in (select json_array_elements_text(names -> 'operators') from asked)
    ),
    'casts', (
        select coalesce(json_agg(json_build_object('of', typname, 'schema', schema, 'name', name)), '[]')
        from pg_cast
        join called on called.oid = castfunc
        join pg_type on pg_type.oid = casttarget
        where may_read
    ),
    'filtered', (select coalesce(json_agg(filtered.table), '[]') from filtered)
)::text as objects`

/** The parameter of `SERVER_OBJECTS`. */
export function questionFor(sources: readonly Source[]): string {
  const named = sources.flatMap(({ objects }) => objects)
  const namesOf = (...kinds: ReadonlyArray<NamedObject['kind']>) => [
    ...new Set(named.flatMap(({ kind, name }) => (kinds.includes(kind) ? [name] : []))),
  ]
  return JSON.stringify({
    functions: namesOf('function', 'keyword', 'field', 'field of a row'),
    operators: namesOf('operator'),
    tables: [...new Set(sources.flatMap(source => tablesRead(source)))],
  })
}

/** Those of its tables and of their parents, qualified. */
function tablesRead({ tables, tenancy }: Source): string[] {
  return tables.flatMap(table => withParents(table, tenancy.tables).map(qualified))
}

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
  // why: no name in the text shows whether it is used, since arrays and rows cast their elements
  const ofCasts = hiddenCalls(server.casts, tenancy).map(({ of, calls }) => ({
    line: firstLine,
    message: `the cast to ${of} ${calls}`,
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
      return callFaults(one, called, tenancy)
    case 'operator':
      return hiddenCalls(server.operators, tenancy).flatMap(({ of, calls }) =>
        of === one.name ? [`operator ${one.written} ${calls}`] : [],
      )
    case 'keyword':
      return called
        .filter(call => call.schema !== 'pg_catalog' && isUndeclared(call, tenancy))
        .slice(0, 1)
        .map(
          call => `${one.name} calls ${one.name}() before PostgreSQL 17, ${mayRead(call, tenancy)}`,
        )
    default: {
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

function hiddenCalls(all: readonly HiddenCall[], tenancy: Tenancy) {
  return all
    .filter(call => isUndeclared(call, tenancy))
    .map(call => ({ of: call.of, calls: `calls ${call.name}(), ${mayRead(call, tenancy)}` }))
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

function mayRead(call: FunctionName, { file }: Tenancy): string {
  return `which may read rows of any organization, expected, if it reads none, its line in ${file}, as "${keyOf(call)}(): shared"`
}

/** As `tenancy.yaml` names it. */
function keyOf({ schema, name }: FunctionName): string {
  return schema === 'public' ? name : `${schema}.${name}`
}

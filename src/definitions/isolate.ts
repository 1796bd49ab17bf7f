/**
 * Keeps tenants apart. CTEs in front of a statement bear the names of its tables and select only the organization's rows,
 * so that PostgreSQL resolves the names to them; functions resolve to `pg_catalog`, or to the schema in `tenancy.yaml`.
 */
import type { Node } from 'libpg-query'
import { suggest } from '../model/spelling.ts'
import { MAX_FINDINGS } from './findings.ts'
import type { SqlFault } from './rules/sql-rule.ts'
import type { ParsedSql } from './sql/parsed-sql.ts'
import type { Insertion } from './sql/sql-pieces.ts'
import {
  as,
  namesOf,
  nodesOf,
  offsetOf,
  OF_PLAIN_CALLS,
  operatorsIn,
  walk,
  type NodeOf,
} from './sql/syntax-tree.ts'
import { linkedChildren, unlinkedNotes } from './linked-children.ts'
import { lineAt } from './sql/text-positions.ts'
import { fenceNote } from './may-fail.ts'
import { tableCtes } from './table-ctes.ts'
import { isSystemName, type DeclaredTable, type Tenancy } from './tenancy.ts'
import { quoted, type RowsOf } from './tenant-rows.ts'

export interface Isolated {
  readonly faults: readonly SqlFault[]
  /** It names a table or function whose line in `tenancy.yaml` has a finding, and has no fault for that. */
  readonly namesBroken: boolean
  /** The declared tables that it names, by name. */
  readonly tables: readonly DeclaredTable[]
  /** Why rows of children cost more than in a statement by hand, and what helps. */
  readonly notes: readonly SqlFault[]
  /** What is to be inserted into the text, if there are no faults. */
  readonly insertions: (rowsOf: RowsOf) => readonly Insertion[]
}

type Select = NodeOf<'SelectStmt'>
type Call = NodeOf<'FuncCall'>
/** Where tables are named. */
type Named = Map<NodeOf<'RangeVar'>, DeclaredTable>

/** Stands for the finding in a line of `tenancy.yaml`. */
const BROKEN: SqlFault = { offset: 0, message: '' }

/** Names of visible CTEs, from the innermost `with`. */
type Scopes = ReadonlyArray<ReadonlySet<string>>

/** @param sql one select, or an expression, which may name no table */
export function isolate(sql: ParsedSql, tenancy: Tenancy): Isolated {
  const [statement] = sql.statements
  const root = as(statement?.tree, 'SelectStmt')
  if (statement === undefined || root === undefined)
    return { faults: [], namesBroken: false, tables: [], notes: [], insertions: () => [] }
  const { tree } = statement
  const faults: SqlFault[] = []
  const named: Named = new Map()
  readTables(root, [], tenancy, named, faults)
  faults.push(...nodesOf(tree, 'FuncCall').flatMap(call => callFaults(call, tenancy)))
  faults.push(...operatorFaults(tree))
  // why: the last entry of a table wins, which is its first use
  const first = new Map([...named].toReversed().map(([use, table]) => [table, use]))
  const tables = [...first.keys()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const hasChildren = tables.some(({ tenancy }) => tenancy.kind === 'child')
  const fence = hasChildren ? fenceNote(tree, tenancy) : undefined
  const linked = linkedChildren(tree, named)
  return {
    faults: faults.filter(fault => fault !== BROKEN),
    namesBroken: faults.includes(BROKEN),
    tables,
    notes: fence === undefined ? unlinkedNotes(first, linked) : [fence],
    insertions: tableCtes({
      tables: tables.map(table => ({
        table,
        line: lineAt(sql.text, first.get(table)!.location ?? 0),
        children: fence !== undefined ? 'fenced' : linked.has(table) ? 'linked' : undefined,
      })),
      ofCalls: schemasOfCalls(tree, tenancy),
      start: statement.start,
      withEnd: endOfWith(sql, root),
    }),
  }
}

/** The offset behind the words with which a statement begins: a second `with` in front of it is a syntax error. */
function endOfWith({ tokens }: ParsedSql, { withClause }: Select): number | undefined {
  if (withClause === undefined) return undefined
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  const at = code.findIndex(({ start }) => start === withClause.location)
  return code[withClause.recursive === true ? at + 1 : at]?.end
}

/**
 * Resolves every relation by PostgreSQL's scopes: without `recursive`, a CTE is visible neither in its own body nor before
 * it. What is no CTE must be declared.
 */
function readTables(
  { withClause, intoClause: _into, lockingClause: _locking, larg, rarg, ...own }: Select,
  scopes: Scopes,
  tenancy: Tenancy,
  named: Named,
  faults: SqlFault[],
): void {
  const names = new Set<string>()
  const visible = withClause === undefined ? scopes : [names, ...scopes]
  const ctes = (withClause?.ctes ?? []).flatMap(one => as(one, 'CommonTableExpr') ?? [])
  if (withClause?.recursive === true) for (const { ctename = '' } of ctes) names.add(ctename)
  const read = (node: unknown) =>
    walk(node, visited => {
      if (visited.kind === 'SelectStmt') {
        readTables(visited.node, visible, tenancy, named, faults)
        return false
      }
      // why: each is compared with all names for a suggestion
      if (visited.kind !== 'RangeVar' || faults.length > MAX_FINDINGS) return true
      const range: NodeOf<'RangeVar'> = visited.node
      const { location: offset = 0 } = range
      const found = tableOf(range, visible, tenancy)
      if (found === null) faults.push(BROKEN)
      else if (typeof found === 'string') faults.push({ offset, message: found })
      else if (found !== undefined) named.set(range, found)
      return true
    })
  for (const { ctename = '', ctequery, location = 0, ...more } of ctes) {
    const message = cteFault(ctename, tenancy)
    if (message !== undefined) faults.push({ offset: location, message })
    read([ctequery, more])
    names.add(ctename)
  }
  // why: a walk from side to side would need more of the stack for a long union
  for (const side of [larg, rarg])
    if (side !== undefined) readTables(side, visible, tenancy, named, faults)
  read(own)
}

function cteFault(name: string, { tables, file }: Tenancy): string | undefined {
  const taken = tables.has(name)
    ? `the name of a table in ${file}`
    : name.startsWith('pg_')
      ? 'a name that begins with pg_, as those of PostgreSQL do'
      : undefined
  return taken && `the CTE "${name}" has ${taken}, expected another name`
}

/** @returns the declared table, undefined for a CTE, null if its line has a finding, or what is wrong */
function tableOf(
  { relname = '', schemaname, catalogname, inh }: NodeOf<'RangeVar'>,
  scopes: Scopes,
  { tables, broken, file }: Tenancy,
): DeclaredTable | string | null | undefined {
  if (schemaname === undefined && scopes.some(names => names.has(relname))) return undefined
  const written = [catalogname, schemaname, relname].filter(Boolean).join('.')
  if (isSystemName(relname, schemaname ?? ''))
    return `${written} is a relation of PostgreSQL itself, expected tables of ${file}`
  if (schemaname !== undefined)
    return `${written} is named with its schema, expected ${nameOf(relname, schemaname, tables) ?? `${relname}, and its line in ${file}, as "${written}: <column>"`}`
  if (broken.has(relname)) return null
  const table = tables.get(relname)
  if (table === undefined) {
    const near = suggest(relname, [...tables.keys(), ...(scopes[0] ?? [])])
    const lines = `its line there, as "${relname}: <column>", "${relname}: via <table> (<column> = <key>)" or "${relname}: shared"`
    const expected = near.startsWith('did') ? near : `expected ${lines}`
    return `${relname} is neither a table in ${file} nor a CTE that is visible here, ${expected}`
  }
  return inh === true
    ? table
    : `only ${relname} leaves out rows of its partitions, expected ${relname}`
}

function nameOf(table: string, schema: string, tables: Tenancy['tables']): string | undefined {
  return [...tables.values()].find(one => one.table === table && one.schema === schema)?.name
}

/** A call that is written as `name(...)`; `extract` and the like are PostgreSQL's by their syntax. */
function plainNameOf({ funcname, funcformat }: Call): string | undefined {
  const [name, ...more] = namesOf(funcname)
  return more.length === 0 && funcformat !== 'COERCE_SQL_SYNTAX' ? name : undefined
}

/** The `search_path` may have another function of the name. */
function schemasOfCalls(tree: Node, { functions }: Tenancy): Insertion[] {
  const lists = new Set(nodesOf(tree, 'RangeFunction').flatMap(unnestedLists))
  return nodesOf(tree, 'FuncCall').flatMap(call => {
    const name = plainNameOf(call)
    const { location: start } = call
    if (name === undefined || start === undefined || lists.has(call)) return []
    const schema = functions.get(name)?.schema ?? 'pg_catalog'
    return [{ start, pieces: [`${quoted(schema)}.`] }]
  })
}

/** `from unnest(a, b)` is syntax, which PostgreSQL knows by the bare name only and resolves to its own function. */
function unnestedLists({ functions = [], coldeflist }: NodeOf<'RangeFunction'>): Call[] {
  return functions.flatMap(item => {
    const [called, columns] = as(item, 'List')?.items ?? []
    const call = as(called, 'FuncCall') ?? {}
    const isPlain = Object.keys(call).every(key => OF_PLAIN_CALLS.has(key))
    const isList = namesOf(call.funcname).join('.') === 'unnest' && (call.args ?? []).length > 1
    return isPlain && isList && as(columns, 'List') === undefined && coldeflist === undefined
      ? [call]
      : []
  })
}

function callFaults(call: Call, { functions, broken, file }: Tenancy): SqlFault[] {
  const names = namesOf(call.funcname)
  const name = names.at(-1)!
  if (broken.has(`${name}()`)) return [BROKEN]
  if (names.length < 2 || isOfPostgres(names)) return []
  const written = names.join('.')
  const isDeclared = functions.get(name)?.schema === names.slice(0, -1).join('.')
  const message = isDeclared
    ? `${written}() is named with its schema, expected ${name}()`
    : `${written}() is no function of pg_catalog, expected one, ${orDeclared(written, file)}`
  return [{ offset: call.location ?? 0, message }]
}

/** What else is possible for a function. */
export function orDeclared(written: string, file: string): string {
  return `or if it reads no rows of organizations its line in ${file}, as "${written}(): shared"`
}

/** Of three names, the first one is the database's. */
function isOfPostgres(names: readonly string[]): boolean {
  return names.slice(0, -1).join('.') === 'pg_catalog'
}

/** Operators that are named with a schema: `operator(tools.=)`. */
function operatorFaults(tree: Node): SqlFault[] {
  return operatorsIn(tree).flatMap(({ names, node }) => {
    if (names.length < 2 || isOfPostgres(names)) return []
    const message = `operator(${names.join('.')}) is no operator of pg_catalog, expected one`
    return [{ offset: offsetOf(node) ?? 0, message }]
  })
}

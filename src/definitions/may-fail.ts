/**
 * Expressions that may fail on some values. PostgreSQL evaluates them on rows of children before it knows whose rows they
 * are, so that a value of another organization could make a report fail. What is not listed here may fail. Types are not
 * known here: comparisons and `coalesce` are taken for safe, as if they had no cast that may fail and no type but numbers,
 * texts, days and instants.
 */
import type { Node } from 'libpg-query'
import { as, namesOf, nodesOf, offsetOf, walk } from './sql/syntax-tree.ts'
import type { NodeOf, Visited } from './sql/syntax-tree.ts'
import { relationsIn } from './linked-children.ts'
import type { SqlFault } from './rules/sql-rule.ts'
import type { Tenancy } from './tenancy.ts'

type Call = NodeOf<'FuncCall'>

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Nodes that contain expressions, or evaluate none. */
const PLAIN = wordsOf(`
  ResTarget WithClause CommonTableExpr List String Integer Alias RangeVar RangeSubselect JoinExpr
  TypeName ColumnRef A_Star A_Const ParamRef BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr
  RowExpr CollateClause SortBy GroupingSet GroupingFunc
`)

/** Subqueries of which any number of rows is right. */
const SETS = wordsOf('EXISTS_SUBLINK ANY_SUBLINK ALL_SUBLINK')

const COMPARISONS = wordsOf('= <> != < <= > >=')

/**
 * Functions of PostgreSQL that return a value for every value of their types: a text that is not longer, a number that
 * fits, a place among rows, a field of a date, also of infinity.
 */
const SAFE_FUNCTIONS = wordsOf(`
  lower upper btrim ltrim rtrim char_length octet_length
  row_number rank dense_rank
`)

/** Fields that each date, timestamp and interval has. */
const SAFE_FIELDS = wordsOf('year quarter month day')

/** Without columns and subqueries these return what a placeholder or a literal gives, or fail when they are parsed. */
const CONSTANT_FUNCTIONS = wordsOf('date_trunc timezone make_interval generate_series')
const CONSTANT_TYPES = wordsOf(`
  date timestamp timestamptz interval time varchar bpchar bool int2 int4 int8 numeric uuid
`)
const CONSTANT_OPERATORS = wordsOf('+ -')

/** They see rows after all joins and conditions: of the organization only. */
const AGGREGATES = wordsOf(`
  count sum avg min max bool_and bool_or every string_agg array_agg json_agg jsonb_agg stddev variance
`)

/** What a fence costs and what helps, at the first expression that may be evaluated on rows of others, and fail. */
export function fenceNote(tree: Node, { functions }: Tenancy): SqlFault | undefined {
  const outputs = unusedOutputs(as(tree, 'SelectStmt') ?? {})
  let found: SqlFault | undefined
  walk(tree, visited => {
    if (found !== undefined) return false
    const what = riskOf(visited, name => !functions.has(name))
    if (what === undefined) return true
    if (isAboveJoins(visited, outputs) || isConstant(visited)) return true
    const message = `${what} may fail on a row of another organization, so rows of children are selected before it: twice the buffers in the mean, up to 34 times; what helps is to move it into an aggregate, its filter, or the select list of the whole statement where its order by does not use it, or a column of the organization in the table`
    found = { offset: offsetOf(visited.node) ?? 0, message }
    return false
  })
  return found
}

function riskOf(visited: Visited, isOfPostgres: (name: string) => boolean): string | undefined {
  const { kind, node } = visited
  switch (kind) {
    case 'FuncCall': {
      const call: Call = node
      const name = namesOf(call.funcname).at(-1) ?? ''
      const field = as(call.args?.[0], 'A_Const')?.sval?.sval ?? ''
      const isSafe =
        SAFE_FUNCTIONS.has(name) ||
        AGGREGATES.has(name) ||
        (name === 'extract' && SAFE_FIELDS.has(field))
      if (!isSafe || !isOfPostgres(name)) return `${name}()`
      const isOfOwnRows = !AGGREGATES.has(name) || !mayBeCorrelated(visited)
      return isOfOwnRows || isOfItsQuery(call, visited)
        ? undefined
        : `${name}() of a column that may be another query's`
    }
    case 'TypeCast': {
      const { typeName }: NodeOf<'TypeCast'> = node
      const type = namesOf(typeName?.names).at(-1) ?? ''
      const isText = type === 'text' && typeName?.arrayBounds === undefined
      return isText ? undefined : `the cast to ${type}`
    }
    case 'A_Expr': {
      const { kind: form, name, rexpr }: NodeOf<'A_Expr'> = node
      const sign = namesOf(name).join('.')
      const isComparison = COMPARISONS.has(sign) || /^(NOT )?BETWEEN/.test(sign)
      // why: PostgreSQL reports a `\` at the end of a pattern when a text reaches it
      const pattern = as(rexpr, 'A_Const')?.sval?.sval
      const isLike = form === 'AEXPR_LIKE' && pattern?.includes('\\') === false
      return isComparison || isLike ? undefined : `the operator ${sign}`
    }
    case 'SubLink': {
      const { subLinkType, operName, subselect }: NodeOf<'SubLink'> = node
      const isSafe =
        subLinkType === 'EXPR_SUBLINK'
          ? returnsOneRow(as(subselect, 'SelectStmt'))
          : SETS.has(subLinkType ?? '') && COMPARISONS.has(namesOf(operName).at(-1) ?? '=')
      return isSafe ? undefined : 'a subquery in an expression'
    }
    case 'SelectStmt': {
      const { limitCount, limitOffset }: NodeOf<'SelectStmt'> = node
      return hasColumns([limitCount, limitOffset]) ? 'a computed limit' : undefined
    }
    case 'WindowDef': {
      const { startOffset, endOffset }: NodeOf<'WindowDef'> = node
      return hasColumns([startOffset, endOffset]) ? 'a computed frame' : undefined
    }
    // why: `s.int4` of its alias `s` is a call without parentheses
    case 'RangeFunction':
      return hasColumns(node) ? 'a function in from' : undefined
    default:
      return PLAIN.has(kind) ? undefined : `an expression of the kind ${kind}`
  }
}

function returnsOneRow({ op, targetList = [], groupClause }: NodeOf<'SelectStmt'> = {}): boolean {
  const [output] = targetList.map(item => as(item, 'ResTarget')?.val)
  const parts = as(output, 'CoalesceExpr')?.args ?? [output]
  const isOfAll = op === 'SETOP_NONE' && groupClause === undefined
  return isOfAll && parts.some(part => isAggregate(as(part, 'FuncCall')))
}

function isAggregate(call: Call | undefined): boolean {
  return AGGREGATES.has(namesOf(call?.funcname).at(-1) ?? '') && call?.over === undefined
}

/** Whether an aggregate in a subquery is of columns of the tables there: it sees rows of the organization only. */
function isOfItsQuery({ args = [] }: Call, { above }: Visited): boolean {
  let at = above
  while (at !== undefined && at.kind !== 'SelectStmt') at = at.above
  const { fromClause = [] }: NodeOf<'SelectStmt'> = at?.node ?? {}
  const own = new Set(relationsIn(fromClause).map(({ alias }) => alias))
  return args.every(arg => {
    const [table = '', ...column] = namesOf(as(arg, 'ColumnRef')?.fields)
    return column.length === 1 && own.has(table)
  })
}

/** Outputs of the statement that its other clauses do not use: PostgreSQL evaluates them for rows of the result. */
function unusedOutputs(select: NodeOf<'SelectStmt'>): ReadonlySet<object> {
  const { op, distinctClause, sortClause = [], groupClause = [], targetList = [] } = select
  if (op !== 'SETOP_NONE' || distinctClause !== undefined) return new Set()
  const used = [...sortClause, ...groupClause]
  const names = nodesOf(used, 'ColumnRef').flatMap(({ fields }) => namesOf(fields).slice(-1))
  const numbers = new Set(nodesOf(used, 'A_Const').flatMap(({ ival }) => ival?.ival ?? []))
  return new Set(
    targetList.flatMap((item, at) => {
      const target = as(item, 'ResTarget')
      const isUsed =
        numbers.has(at + 1) ||
        (target?.name === undefined ? names.length > 0 : names.includes(target.name))
      return isUsed || target === undefined ? [] : [target]
    }),
  )
}

/** Subqueries in expressions, and lateral ones, see rows of the queries around them before these are joined. */
function mayBeCorrelated({ above }: Visited): boolean {
  for (let at = above; at !== undefined; at = at.above) {
    const { lateral }: NodeOf<'RangeSubselect'> = at.kind === 'RangeSubselect' ? at.node : {}
    if (at.kind === 'SubLink' || lateral === true) return true
  }
  return false
}

/** Whether it is in such an output, or in the argument of an aggregate, or has an aggregate in it. */
function isAboveJoins(visited: Visited, outputs: ReadonlySet<object>): boolean {
  const isCorrelated = mayBeCorrelated(visited)
  for (let at = visited.above; at !== undefined && at.kind !== 'SelectStmt'; at = at.above) {
    if (outputs.has(at.node)) return true
    const { agg_order: order, agg_distinct: isDistinct }: Call =
      at.kind === 'FuncCall' ? at.node : {}
    // why: PostgreSQL may sort rows by these before it joins them
    if (order !== undefined || isDistinct === true || at.kind === 'WindowDef') return false
    if (at.kind === 'FuncCall' && isAggregate(at.node) && !isCorrelated) return true
  }
  if (isCorrelated || visited.kind === 'SubLink') return false
  return nodesOf(visited.node, 'FuncCall', { subqueries: false }).some(isAggregate)
}

function isConstant({ kind, node }: Visited): boolean {
  const { typeName }: NodeOf<'TypeCast'> = node
  const { name }: NodeOf<'A_Expr'> = node
  const { funcname }: Call = node
  const isKnown =
    kind === 'A_ArrayExpr' ||
    (kind === 'TypeCast' && CONSTANT_TYPES.has(namesOf(typeName?.names).at(-1) ?? '')) ||
    (kind === 'A_Expr' && CONSTANT_OPERATORS.has(namesOf(name).join('.'))) ||
    (kind === 'FuncCall' && CONSTANT_FUNCTIONS.has(namesOf(funcname).at(-1) ?? ''))
  return isKnown && !hasColumns(node)
}

function hasColumns(root: unknown): boolean {
  return nodesOf(root, 'ColumnRef').length > 0 || nodesOf(root, 'SubLink').length > 0
}

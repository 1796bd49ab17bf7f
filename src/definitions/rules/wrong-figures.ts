/** Rules against SQL that executes but returns wrong figures. */
import type { Node } from 'libpg-query'
import { as, namesOf, walk, type NodeOf } from '../sql/syntax-tree.ts'
import { onEachCast, onEachNode } from './sql-rule.ts'

const floatCasts = onEachCast(({ type, arg, location = 0 }, { text }) => {
  if (!['float4', 'float8'].includes(type)) return undefined
  // why: parts of a time are not money
  const call = namesOf(as(arg, 'FuncCall')?.funcname).at(-1) ?? ''
  if (['extract', 'date_part'].includes(call)) return undefined
  // why: the syntax tree has float8 and float4 where the author wrote `float` and `real`
  const [written = type] = /^(?:double\s+precision|[\w.]+)/i.exec(text.slice(location)) ?? []
  return [`a cast to ${written.toLowerCase()} loses kopecks, expected numeric or bigint`, location]
})

const betweenPeriod = onEachNode('A_Expr', ({ kind = '', lexpr, rexpr, location }, { known }) => {
  if (!kind.includes('BETWEEN')) return undefined
  const [first, last] = as(rexpr, 'List')?.items ?? []
  // why: with symmetric, either bound may be the end; the one that is not `period_start` is checked
  const bounds = kind.includes('SYM')
    ? [first, last].filter(bound => !isPeriod(bound, known, 'period_start'))
    : [last]
  const isWrong =
    bounds.some(bound => reachesDayAfter(bound, known, as(first, 'ColumnRef') !== undefined)) ||
    isPeriod(lexpr, known, 'period_end')
  if (!isWrong) return undefined
  const expected = 'expected >= :period_start and < :period_end'
  return [`between takes in the day after the period, ${expected}`, location]
})

export const SYSTEM_COLUMNS: ReadonlySet<string> = new Set([
  'tableoid',
  'xmin',
  'cmin',
  'xmax',
  'cmax',
  'ctid',
])

/** Vacuum and updates change them, and the gateway's CTEs do not have them. */
const systemColumns = onEachNode('ColumnRef', ({ fields }) => {
  const name = namesOf(fields).at(-1) ?? ''
  if (!SYSTEM_COLUMNS.has(name)) return undefined
  return [`${name} depends on where a row is stored, expected a column of the product's`]
})

export const FIGURE_RULES = [floatCasts, betweenPeriod, systemColumns]

/**
 * True for `:period_end` and `:period_start + interval '1 month'`; false for `:period_end - 1` and later dates.
 * @param isOwnRange whether the range begins with a column
 */
function reachesDayAfter(
  bound: Node | undefined,
  known: readonly string[],
  isOwnRange: boolean,
): boolean {
  let isFound = false
  walk(bound, ({ kind, node }) => {
    // why: in `between since and coalesce(until, :period_end)` the period replaces an end that is unknown
    if (kind === 'SelectStmt' || (kind === 'CoalesceExpr' && isOwnRange)) return false
    const { name, lexpr } = (kind === 'A_Expr' ? node : {}) as NodeOf<'A_Expr'>
    const operator = namesOf(name).at(-1)
    if (operator === '-' || (operator === '+' && isPeriod(lexpr, known, 'period_end'))) return false
    if (kind === 'ParamRef') isFound ||= nameOf(node, known).startsWith('period_')
    return true
  })
  return isFound
}

function isPeriod(node: Node | undefined, known: readonly string[], name: string): boolean {
  const cast = as(node, 'TypeCast')
  if (cast !== undefined) return isPeriod(cast.arg, known, name)
  return nameOf(as(node, 'ParamRef') ?? {}, known).startsWith(name)
}

function nameOf({ number = 0 }: NodeOf<'ParamRef'>, known: readonly string[]): string {
  return known[number - 1] ?? ''
}

/** Finds float columns that money is computed from, by tracing each money column down to the tables. */
import type { Node } from 'libpg-query'
import { makerOf, makersOf, sourceOf } from '../sql/columns.ts'
import { columnOf } from '../sql/expressions.ts'
import type { Select } from '../sql/query.ts'
import {
  isFloat,
  isInteger,
  type ColumnTypes,
  type ReadColumn,
  type TypedColumn,
} from './column-types.ts'
import { operandsOf, type Rounding } from './money-operands.ts'
import { productFunctionsOf, type ProductFunction } from './product-functions.ts'
import type { Draft, DraftPart } from './rules/draft.ts'
import { valuesOf } from './rules/values.ts'
import type { Checked } from './subject.ts'

/** An expression, and the part of the definition in which it is written. */
interface Expression {
  readonly part: DraftPart
  readonly node: Node
}

interface Scope {
  readonly part: DraftPart
  readonly select: Select
  readonly rounding: Rounding
  /** The reference through which a computation reads the value, if it is computed in another select. */
  readonly reader?: Expression | undefined
}

/** A read of a float, or of an expression of unknown type. */
interface Read extends Expression {
  /** Undefined if the text does not show the type. */
  readonly type: string | undefined
  /** The real column of a cast to numeric, which rounds to six digits. */
  readonly castReal?: TypedColumn | undefined
}

interface FloatFindings extends Checked {
  /** Casts of real columns to numeric. */
  readonly castReals: readonly ReadColumn[]
}

/** One finding per line. @param mistyped columns of a wrong type, which is already reported */
export function checkFloats(
  draft: Draft,
  types: ColumnTypes,
  functions: readonly ProductFunction[],
  mistyped: ReadonlySet<string>,
): FloatFindings {
  const found = new Map<number, { money: string; floats: Map<string, string> }>()
  const unproved = new Set<string>()
  const castReals: ReadColumn[] = []
  for (const { name: money, expression, select, part } of valuesOf(draft, 'money')) {
    if (mistyped.has(money)) continue
    const trace = createTrace(draft, types, functions)
    for (const read of trace(expression, { part, select, rounding: 'none' })) {
      const { type, castReal: column } = read
      const written = read.part.written(read.node)
      const line = read.part.line(read.node)
      const { floats } = found.get(line) ?? { floats: new Map<string, string>() }
      if (column !== undefined) castReals.push({ column, written, line })
      else if (type === undefined)
        unproved.add(`whether floats reach "${money}" through ${written}`)
      else found.set(line, { money, floats: floats.set(written, type) })
    }
  }
  const findings = Array.from(found, ([line, { money, floats }]) => {
    const all = Array.from(floats, ([written, type]) => `${written} (${type})`).join(' and ')
    const [first] = floats.keys()
    const message = `${money} is computed from ${all}, whose kopecks are not exact, expected ${first}::numeric before any arithmetic`
    return { line, message }
  })
  return { findings, unproved: [...unproved], castReals }
}

function createTrace(
  { query, statement }: Draft,
  types: ColumnTypes,
  functions: readonly ProductFunction[],
): (node: Node, scope: Scope) => Read[] {
  /** Visited nodes by rounding: a recursive CTE refers to itself. */
  const visited = new Map<Node, Set<string>>()

  function trace(node: Node, scope: Scope): Read[] {
    const { part, select, rounding, reader } = scope
    const key = `${rounding} ${reader === undefined}`
    const visitedRoundings = visited.get(node) ?? new Set()
    if (visitedRoundings.has(key)) return []
    visited.set(node, visitedRoundings.add(key))

    const at = reader ?? { part, node }
    if (columnOf(node) !== undefined) return traceColumn(node, { ...scope, reader: at })

    const [own, ...others] = productFunctionsOf(node, functions)
    if (own !== undefined) {
      const isSure = others.every(({ type }) => type === own.type)
      const type = isSure ? own.type : undefined
      return rounding === 'none' && isFloat(own.type) ? [{ ...at, type }] : []
    }
    const made = makerOf(node, select)
    const ofSubquery = made ? trace(made.item.expression, { ...scope, select: made.select }) : []
    const operands = operandsOf(node, rounding, operand => isWhole(operand, select))
    return operands
      .flatMap(({ isSame, ...operand }) =>
        trace(operand.node, {
          ...scope,
          rounding: operand.rounding,
          reader: isSame ? reader : undefined,
        }),
      )
      .concat(ofSubquery)
  }

  function traceColumn(node: Node, scope: Scope & { readonly reader: Expression }): Read[] {
    const { reader, rounding } = scope
    const source = sourceOf(node, scope.select, types.tableColumns)
    if (source === undefined) return [{ ...reader, type: undefined }]
    const { relation } = source
    if (relation.kind === 'table') {
      const column = types.typed(source)
      if (column === undefined || !isFloat(column.type)) return []
      const { type } = column
      if (rounding === 'none') return [{ ...reader, type }]
      const isCast = type === 'real' && rounding === 'digits'
      return isCast ? [{ ...reader, type, castReal: column }] : []
    }
    if (relation.kind === 'function') {
      const isOwn = relation.call?.some(call => productFunctionsOf(call, functions).length > 0)
      return isOwn === true ? [{ ...reader, type: undefined }] : []
    }
    // why: a total reads the rows of the statement, so its reads belong to that part
    const part = relation.query === query ? statement : scope.part
    return makersOf(source, types.tableColumns).flatMap(({ item, select }) =>
      trace(item.expression, { ...scope, part, select }),
    )
  }

  function isWhole(node: Node, select: Select): boolean {
    const columns = types.columnsOf(node, select)
    return columns.length > 0 && columns.every(({ type }) => isInteger(type))
  }

  return trace
}

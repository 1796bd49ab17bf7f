/** Rules on units: money is whole kopecks. */
import type { Node } from 'libpg-query'
import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { contributorsOf, sourceOf } from '../../sql/columns.ts'
import {
  callOf,
  callsIn,
  columnOf,
  contributing,
  numberOf,
  operatorOf,
  typeOf,
} from '../../sql/expressions.ts'
import { linearPaths } from '../../sql/linear-paths.ts'
import { contentOf, onValues } from './values.ts'

const MINOR_UNIT = /(?:^|_)(?:kopecks?|kopeks?|cents?|pence|minor)$/
const MAJOR_UNIT = /(?:^|_)(?:rub|rur|rubles?|roubles?|dollars?|euros?)$/

/** `max(amount_kopecks) / 100` is an integer division: it drops the kopecks. */
export const wholeRoubles = onValues('number', ({ expression, select, part }, { statement }) => {
  const { lexpr, rexpr } = as(expression, 'A_Expr') ?? {}
  const column = callOf(lexpr, ['max', 'min'])?.args[0] ?? lexpr
  const isOfTable = sourceOf(column, select)?.relation.kind === 'table' || part !== statement
  const by = numberOf(rexpr) ?? ''
  const isMinor = MINOR_UNIT.test(columnOf(column)?.name ?? '') && /^10{2,}$/.test(by)
  if (operatorOf(expression) !== '/' || !isMinor || !isOfTable) return []
  const expected = `expected ${by}.0, or money in whole kopecks`
  return [[contentOf(expression), `drops the fraction of integers, ${expected}`]]
})

/** Functions that return a double for doubles and integers. */
const DOUBLES = ['date_part', 'sqrt', 'cbrt', 'exp', 'ln', 'power', 'pow']

/** A double cannot represent kopecks exactly. */
export const exactMoney = onValues('money', ({ expression, select }) =>
  contributorsOf(expression, select).flatMap(([contributor]) => {
    const casts = contributing(contributor, 'TypeCast')
    return contributing(contributor, 'FuncCall').flatMap((call): Array<[object, string]> => {
      const found = callOf({ FuncCall: call }, DOUBLES)
      const isDate = found?.name === 'date_part'
      const isCast = casts.some(({ arg }) => as(arg, 'FuncCall') === call)
      if (!found || (isDate ? isCast : found.args.some(isNumeric))) return []
      const expected = isDate ? 'extract(... from ...)' : 'a cast to numeric'
      return [[call, `goes through ${found.name}(), a double, expected ${expected}`]]
    })
  }),
)

/** Whether an argument has a cast, a fraction or an aggregate: it may be numeric, and so may the function's result. */
function isNumeric(argument: Node): boolean {
  return (
    nodesOf(argument, 'TypeCast').length > 0 ||
    callsIn(argument, ['sum', 'round', 'avg']).length > 0 ||
    nodesOf(argument, 'A_Const').some(({ fval }) => fval !== undefined)
  )
}

/** Money stays in kopecks: not roubles, not fractions, and no type that overflows at 21 million roubles. */
export const kopecks = onValues('money', ({ expression, select, part }) => {
  const paths = linearPaths(expression, select)
  const areRoubles = paths.every(({ factor }) => isNear(factor, 0.01))
  const found = new Map<object, string>()
  for (const { factor, column, scaledBy, fraction, casts } of paths) {
    if (areRoubles && scaledBy !== undefined) {
      const by = operatorOf(scaledBy) === '/' ? 'divided by 100' : 'multiplied by 0.01'
      const expected = 'expected whole kopecks: the response and the summary print roubles'
      found.set(contentOf(scaledBy), `is ${by}, ${expected}`)
    } else if (isNear(factor, 1) && MAJOR_UNIT.test(columnOf(column)?.name ?? '')) {
      const roubles = `is ${part.written(column)}, whole roubles by its name`
      found.set(contentOf(column), `${roubles}, expected kopecks: 100 * ...`)
    } else if (fraction !== undefined && isNear(fraction.factor, 1) && !(factor >= 100)) {
      const digits = part.written(fraction.node)
      found.set(contentOf(fraction.node), `has a fraction by ${digits}, expected whole kopecks`)
    }
    for (const TypeCast of casts) {
      if (!['int2', 'int4'].includes(typeOf(TypeCast.typeName))) continue
      const overflow = `is cast to ${part.written({ TypeName: TypeCast.typeName })}, which overflows`
      found.set(TypeCast, `${overflow} at 21 million roubles, expected bigint or numeric`)
    }
  }
  return found
})

function isNear(factor: number, other: number): boolean {
  return Math.abs(factor - other) < 1e-9
}

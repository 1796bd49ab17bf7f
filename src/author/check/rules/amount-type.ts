import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { MAJOR } from '../../../definitions/units.ts'
import { numberOf, operatorOf } from '../../sql/expressions.ts'
import { tableColumn } from '../column-types.ts'
import { originOf } from '../origins.ts'
import { onEach, values, type Rule } from './rule.ts'

export const amountType: Rule = {
  needsCatalog: true,
  sentence:
    'Money is made of a column of floats, which are not exact, of one of whole units without `unit: major`, or of the smallest unit with it.',
  bad: ', sum(invoices.total) as amount',
  good: ', sum(100 * invoices.total) as amount',
  find: onEach(values('money'), ({ name, node }, { draft, select, part }) => {
    const [origin, within] = originOf(node, select)
    // why: conditions of a subquery are no amounts, and its own columns are in another scope
    const columns = nodesOf(origin, 'ColumnRef', { subqueries: false }).flatMap(
      ColumnRef => tableColumn({ ColumnRef }, within, draft.findTable)?.column ?? [],
    )
    const { report, metrics } = draft
    const declared = { ...report?.columns, ...report?.facts, ...metrics?.metrics }[name]
    const isMajor = declared?.unit === MAJOR
    const constants = nodesOf(origin, 'A_Const').map(A_Const => Number(numberOf({ A_Const }) ?? 0))
    const isScaled = constants.some(one => one >= 10)
    const scaled = columns.find(({ type }) => WHOLE.test(type))
    // why: what is divided may be a percent
    const isQuotient = nodesOf(origin, 'A_Expr').some(A_Expr => operatorOf({ A_Expr }) === '/')
    if (part === draft.statement && isMajor && scaled && constants.includes(100) && !isQuotient)
      return `${name} is 100 times ${scaled.name}, ${scaled.type}, expected no "unit: ${MAJOR}", as of the smallest unit, or no factor`
    const isWrong = ({ type }: { readonly type: string }) =>
      FLOAT.test(type) || (!isScaled && (isMajor ? INTEGER : WHOLE).test(type))
    const wrong = columns.find(isWrong)
    // why: a quantity is an integer, and its price is not
    const hasOthers = isMajor && !FLOAT.test(wrong?.type ?? '') && !columns.every(isWrong)
    if (part !== draft.statement || wrong === undefined || hasOthers) return undefined
    const units = isMajor
      ? `no "unit: ${MAJOR}", as of the smallest unit`
      : `the smallest unit, as 100 * ${wrong.name}, or "unit: ${MAJOR}"`
    return `${name} is made of ${wrong.name}, ${wrong.type}, expected ${FLOAT.test(wrong.type) ? 'numeric' : units}`
  }),
}

const FLOAT = /^(?:real|double precision)$/
const INTEGER = /^(?:bigint|integer)$/
const WHOLE = /^numeric\(\d+,2\)$/

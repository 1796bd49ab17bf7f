import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { behind, originOf } from '../origins.ts'
import {
  callOf,
  comparisonsIn,
  numberOf,
  operatorOf,
  stringOf,
  typeOf,
} from '../../sql/expressions.ts'
import { columnNames, onEach, values, type Rule } from './rule.ts'

const PERCENT_NAME = /(?:^|_)(?:percents?|pct|rates?|ratios?|shares?|margins?|points?)(?:_|$)/

export const shareOfOne: Rule = {
  sentence: 'A percent is a share of 1: 12.5 stands for 12.5 %.',
  bad: ', sum(sales.amount)::numeric / nullif(sum(sales.cost), 0) as share',
  good: ', 100.0 * sum(sales.amount) / nullif(sum(sales.cost), 0) as share',
  find: onEach(values('percent'), ({ name, node }, { select }) => {
    const [whole, within] = originOf(node, select)
    const read = nodesOf(whole, 'ColumnRef').map(ColumnRef => behind({ ColumnRef }, within)?.[0])
    // why: the 1000 in `filter (where t.x > 1000)` scales nothing
    const compared = nodesOf(
      comparisonsIn([whole, read]).map(one => one.right),
      'A_Const',
    )
    const constantsIn = (root: unknown) =>
      nodesOf(root, 'A_Const')
        .filter(one => !compared.includes(one))
        .map(A_Const => Number(numberOf({ A_Const }) ?? stringOf({ A_Const }) ?? 0))
    // why: two amounts that are both times 100, as smallest units, are not scaled
    const areUnits = read.length > 1 && read.every(one => constantsIn(one).includes(100))
    const constants = constantsIn(areUnits ? whole : [whole, read])
    const isQuotient = nodesOf(whole, 'A_Expr').some(A_Expr => operatorOf({ A_Expr }) === '/')
    const isYesNo = nodesOf(whole, 'TypeCast').some(one => /^int\d$/.test(typeOf(one.typeName)))
    const isMean = callOf(whole, ['avg']) !== undefined && (isYesNo || constants.includes(1))
    // why: what is computed from percentages is one
    const isPercent = columnNames([whole, read]).some(one => PERCENT_NAME.test(one))
    const isScaled = constants.some(one => one >= 100 || one === 0.01)
    return (
      (isQuotient || isMean) &&
      !isPercent &&
      !isScaled &&
      `${name} is a share of 1, expected percent: 100.0 * ... / ...`
    )
  }),
}

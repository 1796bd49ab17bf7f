import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { MAJOR } from '../../../definitions/units.ts'
import { numberOf } from '../../sql/expressions.ts'
import { tableColumn } from '../column-types.ts'
import { originOf } from '../origins.ts'
import { onEach, values, type Rule } from './text-rule.ts'

export const amountType: Rule = {
  id: 'amount-type',
  level: 'warning',
  needsCatalog: true,
  sentence:
    'Money is made of a column of floats, which are not exact, or of one of whole units without `unit: major`.',
  bad: ', sum(invoices.total) as amount',
  good: ', sum(100 * invoices.total) as amount',
  find: onEach(values('money'), ({ name, node }, { draft, select, part }) => {
    const [origin, within] = originOf(node, select)
    const columns = nodesOf(origin, 'ColumnRef').flatMap(
      ColumnRef => tableColumn({ ColumnRef }, within, draft.findTable)?.column ?? [],
    )
    const { report, metrics } = draft
    const declared = { ...report?.columns, ...report?.facts, ...metrics?.metrics }[name]
    const isCounted =
      declared?.unit === MAJOR ||
      nodesOf(origin, 'A_Const').some(A_Const => Number(numberOf({ A_Const }) ?? 0) >= 10)
    const wrong = columns.find(({ type }) => FLOAT.test(type) || (!isCounted && WHOLE.test(type)))
    if (part !== draft.statement || wrong === undefined) return undefined
    const units = `the smallest unit, as 100 * ${wrong.name}, or "unit: ${MAJOR}"`
    return `${name} is made of ${wrong.name}, ${wrong.type}, expected ${FLOAT.test(wrong.type) ? 'numeric' : units}`
  }),
}

const FLOAT = /^(?:real|double precision)$/
const WHOLE = /^numeric\(\d+,2\)$/

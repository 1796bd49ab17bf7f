import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { numberOf } from '../../sql/expressions.ts'
import { tableColumn } from '../column-types.ts'
import { originOf } from '../origins.ts'
import type { Rule } from './rule.ts'
import { valuesOf } from './text-rule.ts'

export const amountType: Rule = {
  id: 'amount-type',
  level: 'warning',
  needsCatalog: true,
  sentence:
    'Money is made of a column of floats, which are not exact, or of one of roubles: it is whole kopecks.',
  bad: ', sum(invoices.total) as amount',
  good: ', sum(100 * invoices.total) as amount',
  find: draft =>
    valuesOf(draft, 'money').flatMap(({ name, expression, select, part }) => {
      const [origin, within] = originOf(expression, select)
      const columns = nodesOf(origin, 'ColumnRef').flatMap(
        ColumnRef => tableColumn({ ColumnRef }, within, draft.findTable)?.column ?? [],
      )
      const isScaled = nodesOf(origin, 'A_Const').some(
        A_Const => Number(numberOf({ A_Const }) ?? 0) >= 10,
      )
      const wrong = columns.find(({ type }) =>
        isScaled ? FLOAT.test(type) : FLOAT.test(type) || MAJOR.test(type),
      )
      if (part !== draft.statement || wrong === undefined) return []
      const expected = FLOAT.test(wrong.type) ? 'numeric' : `kopecks, as 100 * ${wrong.name}`
      const message = `${name} is made of ${wrong.name}, ${wrong.type}, expected ${expected}`
      return [{ line: part.line(expression), message }]
    }),
}

const FLOAT = /^(?:real|double precision)$/
const MAJOR = /^numeric\(\d+,2\)$/

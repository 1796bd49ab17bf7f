import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { operatorOf, placeholdersIn, stringOf, typeOf } from '../../sql/expressions.ts'
import { comparisons, onEach, type Rule } from './rule.ts'

export const textOrder: Rule = {
  sentence: "Numbers are compared as texts, where '9' is after '10'.",
  bad: "and sales.data ->> 'pieces' > '10'",
  good: "and (sales.data ->> 'pieces')::numeric > 10",
  find: onEach(comparisons, ({ left, sign, right }, { part }) => {
    const isNumber = /^-?\d+(?:\.\d+)?$/.test(stringOf(right) ?? '')
    // why: texts that are compared with the period are dates, which have rules of their own
    const isOfPeriod = placeholdersIn([left, right]).length > 0
    return (
      /^[<>]=?$/.test(sign) &&
      isText(left) &&
      (isNumber || isText(right)) &&
      !isOfPeriod &&
      `${part.written(left)} ${sign} ${part.written(right)} compares texts, expected a cast to numeric`
    )
  }),
}

function isText(node: Node): boolean {
  const type = typeOf(as(node, 'TypeCast')?.typeName)
  return operatorOf(node) === '->>' || ['text', 'varchar', 'bpchar'].includes(type)
}

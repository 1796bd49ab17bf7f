import { PLACEHOLDERS } from '../../../definitions/definition.ts'
import { stringOf } from '../../sql/expressions.ts'
import { nodes, onEach, type Rule } from './rule.ts'

export const quotedPlaceholder: Rule = {
  level: 'error',
  sentence: 'A placeholder in quotes is a text.',
  bad: "and sales.day >= (':period_start')::date",
  good: 'and sales.day >= :period_start',
  find: onEach(nodes('A_Const'), ({ node: A_Const }) => {
    const text = stringOf({ A_Const })?.trim()
    const placeholder = PLACEHOLDERS.find(name => text === `:${name}`)
    return placeholder && `:${placeholder} in quotes is a text, expected it without quotes`
  }),
}

/** All rules on the text of definitions, by their names. */
import * as rules from './all.ts'
import type { Rule } from './text-rule.ts'

export const RULES: readonly Rule[] = Object.values(rules)

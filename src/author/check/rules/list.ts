/** All rules on the text of definitions, by their names. */
import { findingsOf } from '../../../definitions/findings.ts'
import { findingsOfKind, type CheckFinding } from '../kinds.ts'
import * as rules from './all.ts'
import type { Draft } from './draft.ts'
import type { Rule } from './rule.ts'

export const RULES: readonly Rule[] = Object.values(rules)

export function checkRules(draft: Draft): CheckFinding[] {
  return RULES.flatMap(rule => findingsOfKind(rule, findingsOf(draft.file, rule.find(draft))))
}

/** All rules on the text of definitions. */
import { findingsOf } from '../../../definitions/findings.ts'
import { findingsOfKind, type CheckFinding, type Kind } from '../kinds.ts'
import * as rules from './all.ts'
import type { Draft } from './draft.ts'
import type { Rule } from './rule.ts'

export const RULES: ReadonlyArray<Kind & Rule> = Object.entries(rules).map(
  ([id, rule]: [string, Rule]) => Object.assign({ id, level: 'warning' as const }, rule),
)

export function checkRules(draft: Draft): CheckFinding[] {
  return RULES.flatMap(rule => findingsOfKind(rule, findingsOf(draft.file, rule.find(draft))))
}

/** Applies all rules to a definition. */
import { findingsOf } from '../../../definitions/findings.ts'
import { findingsOfKind, type CheckFinding } from '../kinds.ts'
import type { Draft } from './draft.ts'
import { RULES } from './list.ts'

export function checkRules(draft: Draft): CheckFinding[] {
  return RULES.flatMap(rule => findingsOfKind(rule, findingsOf(draft.file, rule.find(draft))))
}

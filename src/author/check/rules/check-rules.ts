/** Applies all rules to a definition. */
import { findingsOf } from '../../../definitions/findings.ts'
import { findingsOfKind, type CheckFinding, type KindFinding } from '../kinds.ts'
import type { Draft } from './draft.ts'
import { RULES } from './list.ts'
import type { Rule } from './rule.ts'

/** @param all the drafts of the whole folder: some rules compare them */
export function foundBy(
  rules: readonly Rule[],
  draft: Draft,
  all: readonly Draft[],
): Array<CheckFinding & KindFinding> {
  return rules.flatMap(rule => findingsOfKind(rule, findingsOf(draft.file, rule.find(draft, all))))
}

/** @param isAsked whether the definition is also checked on a database */
export function checkRules(
  draft: Draft,
  all: readonly Draft[],
  { isAsked }: { readonly isAsked: boolean },
): CheckFinding[] {
  const rules = RULES.filter(({ isForTextAlone = false }) => !isAsked || !isForTextAlone)
  return foundBy(rules, draft, all)
}

/** All rules on the text of definitions. */
import { findingsOf } from '../../../definitions/findings.ts'
import type { CheckFinding, Kind } from '../kinds.ts'
import * as rules from './all.ts'
import type { Draft } from './draft.ts'
import type { Rule } from './rule.ts'

export const RULES: ReadonlyArray<Kind & Rule> = Object.entries(rules).map(
  ([id, rule]: [string, Rule]) => Object.assign({ id, level: 'warning' as const }, rule),
)

export function checkRules(draft: Draft): CheckFinding[] {
  return RULES.flatMap(({ id, level, find }) =>
    findingsOf(draft.file, find(draft)).map(finding => Object.assign(finding, { id, level })),
  )
}

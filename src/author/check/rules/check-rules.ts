/** Applies all text rules to a definition: mistakes that loading accepts. */
import { findingsOf, type FileFinding } from '../../../definitions/findings.ts'
import * as columns from './columns.ts'
import * as dateFormats from './date-formats.ts'
import * as division from './division.ts'
import type { Draft } from './draft.ts'
import * as frontMatter from './front-matter.ts'
import * as instants from './instants.ts'
import * as intervals from './intervals.ts'
import * as joins from './joins.ts'
import * as literals from './literals.ts'
import * as nulls from './nulls.ts'
import * as percents from './percents.ts'
import * as periodEnds from './period-ends.ts'
import * as period from './period.ts'
import * as ranges from './ranges.ts'
import * as rows from './rows.ts'
import * as sentences from './sentences.ts'
import type { TextRule } from './text-rule.ts'
import * as totals from './totals.ts'
import * as units from './units.ts'
import * as zones from './zones.ts'

/** Each of these files exports only rules. */
const RULES: readonly TextRule[] = Object.values({
  ...dateFormats,
  ...division,
  ...frontMatter,
  ...instants,
  ...intervals,
  ...joins,
  ...literals,
  ...nulls,
  ...percents,
  ...periodEnds,
  ...period,
  ...ranges,
  ...rows,
  ...sentences,
  ...totals,
  ...units,
  ...zones,
})

/** Rules for definitions that are not checked on a database, which has more exact ones. */
export const WITHOUT_DATABASE: readonly TextRule[] = Object.values(columns)

/**
 * @param all the drafts of the whole folder: some rules compare them
 * @param isAsked whether the definition is also checked on a database
 */
export function checkRules(
  draft: Draft,
  all: readonly Draft[],
  { isAsked }: { readonly isAsked: boolean },
): FileFinding[] {
  const rules = isAsked ? RULES : [...RULES, ...WITHOUT_DATABASE]
  return findingsOf(
    draft.file,
    rules.flatMap(rule => rule(draft, all)),
  )
}

/** All rules of the text on all definitions: what loads, and its author should not have written. */
import { findingsOf, type FileFinding } from '../../../definitions/findings.ts'
import { movedEnds, negatedEnds, onlyYear, swappedBounds } from './bounds.ts'
import { selectedColumns, totalsOfColumns } from './columns.ts'
import { wholeDivision, zeroDivision } from './division.ts'
import type { Draft, TextRule } from './draft.ts'
import { dateFormats } from './formats.ts'
import { localDays } from './instants.ts'
import { placesOfRows, waiting } from './internals.ts'
import { partsOfIntervals } from './intervals.ts'
import { literals } from './literals.ts'
import { leftJoins, neverTaken, notIn, nullTests } from './nulls.ts'
import { organizationBesideOr, organizationOfEachTable, someOrganization } from './organizations.ts'
import { bothEnds, halfOpen, somePeriod } from './period.ts'
import { ranges, seriesEnds } from './ranges.ts'
import { noStar, orderSaid, picked, uncut, unionAll } from './rows.ts'
import { sentences } from './sentences.ts'
import {
  countsAsTotals,
  distinctSums,
  percentTotals,
  sumsOfNothing,
  sumsOfRatios,
} from './totals.ts'
import { percents } from './percents.ts'
import { exactMoney, kopecks, wholeRoubles } from './units.ts'
import { readCtes, servesSomebody, staleAfterFresh, titles } from './unused.ts'
import { otherZones } from './zones.ts'

const RULES: readonly TextRule[] = [
  bothEnds,
  countsAsTotals,
  dateFormats,
  distinctSums,
  exactMoney,
  halfOpen,
  kopecks,
  leftJoins,
  literals,
  localDays,
  movedEnds,
  negatedEnds,
  neverTaken,
  noStar,
  notIn,
  nullTests,
  onlyYear,
  orderSaid,
  otherZones,
  partsOfIntervals,
  percentTotals,
  percents,
  picked,
  placesOfRows,
  ranges,
  readCtes,
  sentences,
  seriesEnds,
  servesSomebody,
  somePeriod,
  staleAfterFresh,
  sumsOfNothing,
  sumsOfRatios,
  swappedBounds,
  titles,
  uncut,
  unionAll,
  waiting,
  wholeDivision,
  wholeRoubles,
  zeroDivision,
]

/** What a plan says better, of definitions that can be planned. */
const WITHOUT_PLAN: readonly TextRule[] = [
  organizationBesideOr,
  organizationOfEachTable,
  someOrganization,
]

/** What a database says better, of definitions that it is asked about. */
const WITHOUT_DATABASE: readonly TextRule[] = [selectedColumns, totalsOfColumns]

/** Of a definition: not asked, asked and refused, asked and answered. */
export type Database = 'none' | 'refused' | 'asked'

function rulesWith(database: Database): readonly TextRule[] {
  if (database === 'asked') return RULES
  return [...RULES, ...WITHOUT_PLAN, ...(database === 'none' ? WITHOUT_DATABASE : [])]
}

/** @param all the drafts of the whole folder: some rules compare them */
export function checkText(
  draft: Draft,
  all: readonly Draft[],
  { database }: { readonly database: Database },
): FileFinding[] {
  return findingsOf(
    draft.file,
    rulesWith(database).flatMap(rule => rule(draft, all)),
  )
}

/** All rules on the text of definitions. */
import { inclusiveEnd } from './inclusive-end.ts'
import { missingEnd } from './missing-end.ts'
import { wholeYear } from './whole-year.ts'
import { noPeriod } from './no-period.ts'
import { rangeEnd } from './range-end.ts'
import { seriesEnd } from './series-end.ts'
import { sessionDay } from './session-day.ts'
import { literalZone } from './literal-zone.ts'
import { intervalPart } from './interval-part.ts'
import { dateFormat } from './date-format.ts'
import { literalId } from './literal-id.ts'
import { literalPeriod } from './literal-period.ts'
import { quotedPlaceholder } from './quoted-placeholder.ts'
import { secret } from './secret.ts'
import { missingComma } from './missing-comma.ts'
import { nullComparison } from './null-comparison.ts'
import { whenNull } from './when-null.ts'
import { constantFirst } from './constant-first.ts'
import { notIn } from './not-in.ts'
import { integerDivision } from './integer-division.ts'
import { zeroDivision } from './zero-division.ts'
import { shareOfOne } from './share-of-one.ts'
import { minorUnit } from './minor-unit.ts'
import { percentTotal } from './percent-total.ts'
import { countAsTotal } from './count-as-total.ts'
import { sumOfRatios } from './sum-of-ratios.ts'
import { distinctSum } from './distinct-sum.ts'
import { nullMetric } from './null-metric.ts'
import { limit } from './limit.ts'
import { unorderedPick } from './unordered-pick.ts'
import { unorderedWindow } from './unordered-window.ts'
import { star } from './star.ts'
import { unionRule } from './union.ts'
import { undoneLeftJoin } from './undone-left-join.ts'
import { unreadCte } from './unread-cte.ts'
import { unreadField } from './unread-field.ts'
import { noKey } from './no-key.ts'
import { reservedWord } from './reserved-word.ts'
import { sameTitle } from './same-title.ts'
import { staleBeforeFresh } from './stale-before-fresh.ts'
import { summaryWords } from './summary-words.ts'
import { selectedColumns } from './selected-columns.ts'
import { totalOfColumn } from './total-of-column.ts'
import { movedEnd } from './moved-end.ts'
import { dateAndInstant } from './date-and-instant.ts'
import { sessionMidnight } from './session-midnight.ts'
import { escapingOr } from './escaping-or.ts'
import { plainCount } from './plain-count.ts'
import { textOrder } from './text-order.ts'
import { nullsFirst } from './nulls-first.ts'
import type { Rule } from './rule.ts'

export const RULES: readonly Rule[] = [
  inclusiveEnd,
  movedEnd,
  missingEnd,
  wholeYear,
  escapingOr,
  noPeriod,
  rangeEnd,
  seriesEnd,
  sessionDay,
  dateAndInstant,
  sessionMidnight,
  literalZone,
  intervalPart,
  dateFormat,
  literalPeriod,
  literalId,
  quotedPlaceholder,
  secret,
  missingComma,
  nullComparison,
  whenNull,
  constantFirst,
  notIn,
  textOrder,
  integerDivision,
  zeroDivision,
  shareOfOne,
  minorUnit,
  percentTotal,
  countAsTotal,
  sumOfRatios,
  plainCount,
  distinctSum,
  nullMetric,
  limit,
  unorderedPick,
  nullsFirst,
  unorderedWindow,
  star,
  unionRule,
  undoneLeftJoin,
  unreadCte,
  unreadField,
  noKey,
  reservedWord,
  sameTitle,
  staleBeforeFresh,
  summaryWords,
  selectedColumns,
  totalOfColumn,
]

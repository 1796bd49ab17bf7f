/** All rules on the text of definitions. */
import { inclusiveEnd } from './inclusive-end.ts'
import { missingEnd } from './missing-end.ts'
import { noPeriod } from './no-period.ts'
import { seriesEnd } from './series-end.ts'
import { sessionDay } from './session-day.ts'
import { literalZone } from './literal-zone.ts'
import { dateFormat } from './date-format.ts'
import { literalId } from './literal-id.ts'
import { literalPeriod } from './literal-period.ts'
import { quotedPlaceholder } from './quoted-placeholder.ts'
import { secret } from './secret.ts'
import { missingComma } from './missing-comma.ts'
import { nullComparison } from './null-comparison.ts'
import { notIn } from './not-in.ts'
import { integerDivision } from './integer-division.ts'
import { zeroDivision } from './zero-division.ts'
import { shareOfOne } from './share-of-one.ts'
import { percentTotal } from './percent-total.ts'
import { countAsTotal } from './count-as-total.ts'
import { sumOfRatios } from './sum-of-ratios.ts'
import { distinctSum } from './distinct-sum.ts'
import { nullMetric } from './null-metric.ts'
import { limit } from './limit.ts'
import { star } from './star.ts'
import { unionRule } from './union.ts'
import { undoneLeftJoin } from './undone-left-join.ts'
import { noKey } from './no-key.ts'
import { summaryWords } from './summary-words.ts'
import { movedEnd } from './moved-end.ts'
import { dateAndInstant } from './date-and-instant.ts'
import { sessionMidnight } from './session-midnight.ts'
import { escapingOr } from './escaping-or.ts'
import { plainCount } from './plain-count.ts'
import { textOrder } from './text-order.ts'
import { nullsFirst } from './nulls-first.ts'
import { utcTimestamp } from './utc-timestamp.ts'
import { impossibleValue } from './impossible-value.ts'
import { deletedRows, mixedCurrencies } from './unread-columns.ts'
import { unorderedPick } from './unordered-pick.ts'
import { intervalPart } from './interval-part.ts'
import { wholeYear } from './whole-year.ts'
import { amountType } from './amount-type.ts'
import { constantFirst } from './constant-first.ts'
import type { Rule } from './rule.ts'

export const RULES: readonly Rule[] = [
  inclusiveEnd,
  movedEnd,
  missingEnd,
  wholeYear,
  escapingOr,
  noPeriod,
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
  constantFirst,
  notIn,
  textOrder,
  integerDivision,
  zeroDivision,
  shareOfOne,
  percentTotal,
  countAsTotal,
  sumOfRatios,
  plainCount,
  distinctSum,
  nullMetric,
  limit,
  nullsFirst,
  unorderedPick,
  star,
  unionRule,
  undoneLeftJoin,
  noKey,
  summaryWords,
  utcTimestamp,
  impossibleValue,
  deletedRows,
  mixedCurrencies,
  amountType,
]

/** The request of a report or of metrics with the parameter `compare`. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { comparedPeriods } from '../../definitions/comparison-period.ts'
import type { ComparisonKind } from '../../definitions/comparison-period.ts'
import { isComparable, MAX_COMPARED_ROWS } from '../../definitions/comparison.ts'
import { Problem } from '../../model/errors.ts'
import { withPeriod } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'

/** Of an unfinished period, for its days until today. @throws Problem `bad_request` if it cannot be compared */
export function withComparison<D extends AnyDefinition>(
  request: ReportRequest<D>,
  kind: ComparisonKind,
): ReportRequest<D> {
  const { definition, today } = request
  if (!isComparable(definition)) throw notComparable(definition)
  const { period, comparison } = comparedPeriods(request.period, kind, today)
  return { ...withPeriod(request, period), comparison: { ...comparison, kind } }
}

function notComparable(definition: AnyDefinition): Problem {
  if (isReport(definition))
    return new Problem('bad_request', {
      ru: `Отчёт ${definition.code} нельзя сравнить. Сравниваются отчёты не больше чем на ${MAX_COMPARED_ROWS} строк, с ключом и показателями, которые не зависят от сегодняшнего дня: в их схеме список compare не пуст.`,
      en: `The report ${definition.code} cannot be compared. Reports can be compared that have at most ${MAX_COMPARED_ROWS} rows, a key, and measures that do not depend on the current day: the list compare in their schema is not empty.`,
    })
  const codes = definition.metrics.map(({ code }) => code).join(', ')
  return new Problem('bad_request', {
    ru: `Показатели ${codes} нельзя сравнить: они зависят от сегодняшнего дня. Перечислите другие в codes.`,
    en: `The metrics ${codes} cannot be compared: they depend on the current day. List others in codes.`,
  })
}

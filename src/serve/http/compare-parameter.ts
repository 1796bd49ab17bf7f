/** The request of a report or of metrics with the parameter `compare`. */
import { comparedPeriods } from '../../definitions/comparison-period.ts'
import type { ComparisonKind } from '../../definitions/comparison-period.ts'
import { MAX_COMPARED_ROWS, reportFault, usesTodayItself } from '../../definitions/comparison.ts'
import type {
  Definition,
  MetricsDefinition,
  ReportDefinition,
} from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import { withPeriod } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'

/** Of an unfinished period, for its days until today. */
function withComparison<D extends Definition>(
  request: ReportRequest<D>,
  kind: ComparisonKind,
): ReportRequest<D> {
  const { period, comparison } = comparedPeriods(request.period, kind, request.today)
  return { ...withPeriod(request, period), comparison: { ...comparison, kind } }
}

/** @throws Problem `bad_request` if the report cannot be compared */
export function comparedReport(
  request: ReportRequest<ReportDefinition>,
  kind: ComparisonKind,
): ReportRequest<ReportDefinition> {
  const { definition } = request
  const fault = reportFault(definition)
  if (fault === undefined) return withComparison(request, kind)
  const reason = REASONS[fault]
  throw new Problem('bad_request', {
    ru: `Отчёт ${definition.code} нельзя сравнить: ${reason.ru}. Параметр compare есть у отчётов, в чьей схеме список compare не пуст.`,
    en: `The report ${definition.code} cannot be compared: ${reason.en}. Reports with a nonempty list compare in their schema have the parameter compare.`,
  })
}

const REASONS: Readonly<
  Record<NonNullable<ReturnType<typeof reportFault>>, { readonly ru: string; readonly en: string }>
> = {
  today: { ru: 'он зависит от сегодняшнего дня', en: 'it depends on the current day' },
  rows: {
    ru: `в нём может быть больше ${MAX_COMPARED_ROWS} строк`,
    en: `it may have more than ${MAX_COMPARED_ROWS} rows`,
  },
  key: { ru: 'у его строк нет ключа', en: 'its rows have no key' },
  columns: {
    ru: 'в нём нет показателей, или имена столбцов совпали бы',
    en: 'it has no measures, or names of columns would clash',
  },
}

/** @throws Problem `bad_request` if the metrics cannot be compared */
export function comparedMetrics(
  request: ReportRequest<MetricsDefinition>,
  kind: ComparisonKind,
): ReportRequest<MetricsDefinition> {
  const { definition } = request
  if (!usesTodayItself(definition)) return withComparison(request, kind)
  const codes = definition.metrics.map(({ code }) => code).join(', ')
  throw new Problem('bad_request', {
    ru: `Показатели ${codes} нельзя сравнить: они зависят от сегодняшнего дня. Перечислите другие в codes.`,
    en: `The metrics ${codes} cannot be compared: they depend on the current day. List others in codes.`,
  })
}

/** Formats a file of metrics for the terminal: a title, then a line for each metric with its unit. */
import type { MetricsDefinition } from '../../definitions/definition.ts'
import { aligned } from './columns.ts'
import type { Organization, Period, RawField } from '../../model/terms.ts'
import { tableTitle } from './text-table.ts'
import { createTextMetric } from './text-field.ts'

/**
 * @param fields values as PostgreSQL printed them, by metric code
 * @throws FieldError if a field does not match its metric's format.
 */
export function metricsTable(
  fields: ReadonlyMap<string, RawField>,
  subject: {
    readonly definition: MetricsDefinition
    readonly organization: Organization
    readonly period: Period
  },
  organizationName: string = subject.organization.id,
): string {
  const { definition, organization, period } = subject
  const title = tableTitle(definition.name, period, organizationName, organization.timeZone)
  const rows = definition.metrics.map(metric => {
    const format = createTextMetric(metric.code, metric.format, organization.timeZone)
    return [metric.title, format(fields.get(metric.code) ?? null)]
  })
  return `${[title, '', ...aligned(rows, ['left', 'right'])].join('\n')}\n`
}

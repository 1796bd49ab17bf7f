/** Formats a report for the terminal: a title, aligned columns, totals, and the summary; and a file of metrics. */
import type { MetricsDefinition } from '../../definitions/definition.ts'
import { periodWords } from '../../definitions/date-words.ts'
import { currencyOfTotal } from '../../definitions/units.ts'
import { isNumeric } from '../../definitions/words.ts'
import { rawField } from '../../model/row-bytes.ts'
import type { Organization, Period, RawField } from '../../model/terms.ts'
import { currencyOfRows } from '../../serve/formats/format.ts'
import type { BodyWriter, Format, BodySubject } from '../../serve/formats/format.ts'
import { writeText } from '../../serve/formats/output.ts'
import { aligned, columnWidths } from './columns.ts'
import { createTextField, createTextMetric } from './text-field.ts'

/** @param organizationName for the title; by default the organization's id */
export function textTable(organizationName?: string): Format {
  return {
    name: 'text',
    extension: 'txt',
    contentType: 'text/plain; charset=utf-8',
    isText: true,
    createWriter: subject => createTableWriter(subject, organizationName),
  }
}

/** `Profit and loss, 2026: business, Europe/London` */
export function tableTitle(
  title: string,
  period: Period,
  organizationName: string,
  timeZone: string,
  language: string,
): string {
  return `${title}, ${periodWords(period, language)}: ${organizationName}, ${timeZone}`
}

/** Buffers all rows, because the last may be the widest. */
function createTableWriter(
  { definition, organization, period }: BodySubject,
  organizationName = organization.id,
): BodyWriter {
  const { columns, title, source, labelColumn, product } = definition
  const { language } = product
  const { timeZone } = organization
  // why: without a currency, money of an unknown one is a plain number
  const fields = columns.map(({ key, type }) => createTextField(key, type, timeZone, { product }))
  const currencies = columns.map(({ key }) => currencyOfRows(definition, key))
  const rows: string[][] = []
  return {
    head() {},
    row(_output, row, positions) {
      const raw = (position: number | undefined) =>
        position === undefined ? null : rawField(row, position)
      rows.push(
        fields.map((field, at) => field(raw(positions[at]), currencies[at]!(row, positions))),
      )
    },
    tail(output, { totals, summary }) {
      const totalCells = columns.map(({ key, type }, at) => {
        if (key === labelColumn) return product.total
        const raw = totals.get(key) ?? null
        const none = source.matter.columns[key]?.total === 'none'
        // why: an undefined ratio is shown as a dash, a column without a total as an empty cell
        return raw === null && (none || !isNumeric(type))
          ? ''
          : fields[at]!(raw, currencyOfTotal(definition, key))
      })
      const titles = columns.map(column => column.title)
      const rule = columnWidths([titles, ...rows, totalCells]).map(width => '─'.repeat(width))
      const totalsRule = rows.length === 0 ? [] : [rule]
      const lines = aligned(
        [titles, rule, ...rows, ...totalsRule, totalCells],
        columns.map(({ type }) => (isNumeric(type) ? 'right' : 'left')),
      )
      const head = tableTitle(title, period, organizationName, timeZone, language)
      writeText(output, `${[head, '', ...lines, '', summary].join('\n')}\n`)
    },
  }
}

/**
 * A file of metrics: a title, then a line for each metric with its unit.
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
  const { name, product } = definition
  const { timeZone } = organization
  const title = tableTitle(name, period, organizationName, timeZone, product.language)
  const rows = definition.metrics.map(metric => {
    const format = createTextMetric(metric.code, metric.format, timeZone, definition)
    return [metric.title, format(fields.get(metric.code) ?? null)]
  })
  return `${[title, '', ...aligned(rows, ['left', 'right'])].join('\n')}\n`
}

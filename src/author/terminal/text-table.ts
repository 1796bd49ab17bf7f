/** Formats a report for the terminal: a title, aligned columns, totals, and the summary; and a file of metrics. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { periodWords } from '../../definitions/date-words.ts'
import type { MetricsDefinition } from '../../definitions/definition.ts'
import { currencyOfTotal } from '../../definitions/units.ts'
import { isNumeric } from '../../definitions/words.ts'
import { rawField } from '../../model/row-bytes.ts'
import type { Organization, Period, RawField } from '../../model/terms.ts'
import { currencyOfRows } from '../../serve/formats/format.ts'
import type { BodyWriter, Format, BodySubject } from '../../serve/formats/format.ts'
import { writeText } from '../../serve/formats/output.ts'
import { aligned, columnWidths } from './columns.ts'
import { createTextField } from './text-field.ts'

interface Subject<D extends AnyDefinition> {
  readonly definition: D
  readonly organization: Organization
  readonly period: Period
}

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
function titleOf(
  title: string,
  { definition, organization, period }: Subject<AnyDefinition>,
  organizationName = organization.id,
): string {
  const { language } = definition.product
  return `${title}, ${periodWords(period, language)}: ${organizationName}, ${organization.timeZone}`
}

/** Buffers all rows, because the last may be the widest. */
function createTableWriter(subject: BodySubject, organizationName?: string): BodyWriter {
  const { definition, organization } = subject
  const { columns, title, source, labelColumn, product } = definition
  const fields = columns.map(({ key, type }) =>
    createTextField(key, type, organization.timeZone, product),
  )
  const currencies = columns.map(({ key }) => currencyOfRows(definition, key))
  const rows: string[][] = []
  return {
    head() {},
    row(_output, row, positions) {
      rows.push(
        fields.map((field, at) =>
          field(rawField(row, positions[at]!), currencies[at]!(row, positions)),
        ),
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
      const head = titleOf(title, subject, organizationName)
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
  subject: Subject<MetricsDefinition>,
  organizationName?: string,
): string {
  const { name, metrics, currency, product } = subject.definition
  const rows = metrics.map(({ code, format, title }) => {
    const field = createTextField(code, format, subject.organization.timeZone, product)
    return [title, field(fields.get(code) ?? null, currency)]
  })
  const lines = aligned(rows, ['left', 'right'])
  return `${[titleOf(name, subject, organizationName), '', ...lines].join('\n')}\n`
}

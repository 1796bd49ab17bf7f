/** JSON Schema of response bodies. */
import { COMPARISONS } from '../../definitions/comparison-period.ts'
import { compareReport, isComparable } from '../../definitions/comparison.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { PARAMETER_TYPES } from '../../definitions/parameter-value.ts'
import { UNIT_OF_ROWS } from '../../definitions/units.ts'
import { unitOfMoney } from '../../model/currency.ts'
import { PROBLEMS } from '../../model/errors.ts'
import { CHART_KINDS, CHART_ORDERS, COLUMN_TYPES, METRIC_FORMATS } from '../../model/terms.ts'
import { PERIOD_AGGREGATIONS, ROW_AGGREGATIONS } from '../../model/terms.ts'
import type { Column, ColumnType } from '../../model/terms.ts'
import { valueSchema } from './parameters.ts'

const text = { type: 'string' }
const date = { type: 'string', format: 'date' }

/** A value in JSON and NDJSON; in CSV the same as text. */
const VALUES: Readonly<Record<ColumnType, { type: string; [key: string]: string }>> = {
  text,
  date,
  month: { type: 'string', pattern: String.raw`^\d{4}-\d{2}$` },
  datetime: { type: 'string', format: 'date-time' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  percent: { type: 'number', description: '15.3 means 15.3 %' },
  money: { type: 'integer' },
}

function object(
  properties: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): object {
  const required = Object.keys(properties)
  return { type: 'object', required, properties: { ...properties, ...optional } }
}

function list(items: object): object {
  return { type: 'array', items }
}

/** A row; columns of the key and the label are never null. */
export function rowSchema(
  { currency, key, labelColumn }: ReportDefinition,
  columns: readonly Column[],
  neverNull: readonly string[] = [...key, labelColumn],
) {
  const fields = columns.map(column => {
    const { type, ...rest } = VALUES[column.type]
    const types = neverNull.includes(column.key) ? type : [type, 'null']
    const { currency: own = currency } = column
    const unit =
      'column' in own
        ? `${UNIT_OF_ROWS} in ${own.column}; a total is null unless the parameter ${own.column} selects one`
        : unitOfMoney(own)
    const money = column.type === 'money' && { description: unit }
    return [column.key, { title: column.title, type: types, ...rest, ...money }] as const
  })
  return object(Object.fromEntries(fields))
}

/** The body of `/reports/:code`. @param row reference to the row's schema */
export function reportBody(definition: ReportDefinition, row: object): object {
  const { code, columns, parameters } = definition
  const own = { code: { const: code }, ...tableOf(definition, columns, row), summary: text }
  const values = parameters.map(one => [one.name, valueSchema(one)] as const)
  const optional = parameters.length > 0 && {
    parameters: object({}, Object.fromEntries(values)),
  }
  if (!isComparable(definition)) return object(own, { ...optional })
  const compared = compareReport(definition, 'year', true).columns
  const compare = {
    description:
      'Only with the parameter compare. One row for each row of the report, in the same order, then rows that only the comparison period has.',
    ...object(tableOf(definition, compared, rowSchema(definition, compared))),
  }
  return object(own, { ...optional, compare })
}

function tableOf(definition: ReportDefinition, columns: readonly Column[], row: object) {
  const totals = rowSchema(definition, columns, [definition.labelColumn])
  return { period: PERIOD, columns: COLUMNS, rows: list(row), totals }
}

const PERIOD = { $ref: '#/components/schemas/Period' }
const COLUMNS = list({ $ref: '#/components/schemas/Column' })

const nullableText = { type: ['string', 'null'] }
const seconds = { type: 'number', description: 'seconds' }
const fresh = object({ open: seconds, closed: seconds })
const dateBasis = { anyOf: [object({ code: text, title: text }), { type: 'null' }] }
const figure = { type: ['number', 'null'] }
const titled = { code: text, title: text }
const listed = { ...titled, group: text, key: list(text), description: nullableText, dateBasis }

const column = { key: text, title: text, type: { enum: COLUMN_TYPES } }

const chart = object(
  { kind: { enum: CHART_KINDS }, measures: list(text), label: text },
  { order: { enum: CHART_ORDERS } },
)

const value = { type: ['string', 'number', 'boolean'] }
const nullableValue = { type: ['string', 'number', 'boolean', 'null'] }
/** What a report may be asked for; `values` is null if any value of the type is accepted, or if they are not available. */
const PARAMETERS = list(
  object(
    {
      name: text,
      title: text,
      type: { enum: PARAMETER_TYPES },
      required: { type: 'boolean' },
      default: nullableValue,
      minimum: nullableValue,
      maximum: nullableValue,
      values: { type: ['array', 'null'], items: object({ value, label: text }) },
    },
    { unavailable: { const: true, description: 'values cannot be read now' } },
  ),
)

const organization = { organizationId: text, timeZone: text }
/** Of money. Digits are null if each row has its own. */
const currency = { currency: text, digits: { type: 'integer' } }
const currencyOfColumn = {
  currency: { anyOf: [text, object({ column: text })] },
  digits: { type: ['integer', 'null'] },
}
const figureHead = { ...titled, format: { enum: METRIC_FORMATS } }

/** Bodies and parts of bodies that do not depend on definitions. */
export const COMMON_SCHEMAS = {
  Period: object({ from: date, to: { ...date, description: 'inclusive' } }),
  Column: object(column, currencyOfColumn),
  Problem: {
    description:
      'RFC 9457. `code` is stable; `title` and `detail` are for people, in their language.',
    ...object({
      type: { type: 'string', format: 'uri' },
      title: text,
      status: { type: 'integer' },
      detail: text,
      code: { enum: Object.keys(PROBLEMS) },
      requestId: text,
    }),
  },
  OpenApi: object({ openapi: text, paths: { type: 'object' }, components: { type: 'object' } }),
  Ping: object(
    { ok: { const: true }, ...organization, ...currency, version: { const: 'v1' } },
    { organizationName: text },
  ),
  ReportList: object({ reports: list(object({ ...listed, keywords: list(text) })) }),
  Parameters: object({ parameters: PARAMETERS }),
  ReportSchema: object(
    {
      ...listed,
      columns: list(
        object(
          {
            ...column,
            unit: { anyOf: [nullableText, object({ column: text })] },
            nullable: { type: 'boolean' },
            role: { enum: ['label', 'dimension', 'measure'] },
            aggregation: object({
              rows: { enum: ROW_AGGREGATIONS },
              periods: { enum: PERIOD_AGGREGATIONS },
            }),
          },
          { link: text, ...currencyOfColumn },
        ),
      ),
      chart: { anyOf: [chart, { type: 'null' }] },
      limits: object({
        freshSeconds: fresh,
        staleSeconds: seconds,
        timeoutSeconds: seconds,
        maxRows: { type: 'integer' },
      }),
      formats: list(
        object({
          format: text,
          mediaType: text,
          money: { description: 'the unit of money, such as EUR' },
          percent: { enum: [15.3, 0.153] },
        }),
      ),
      compare: list({ enum: COMPARISONS }),
      shape: text,
      definition: text,
    },
    { link: text, parameters: PARAMETERS },
  ),
  Metrics: object(
    {
      period: PERIOD,
      metrics: list(
        object(
          { ...figureHead, value: figure },
          {
            compared: figure,
            change: { ...figure, description: 'of a percent in percentage points' },
            changePercent: { ...figure, description: 'null for a percent' },
          },
        ),
      ),
    },
    {
      parameters: object({}),
      compare: { ...object({ period: PERIOD }), description: 'only with the parameter compare' },
    },
  ),
  MetricsSchema: object({
    metrics: list(object({ ...figureHead, unit: nullableText, freshSeconds: fresh }, currency)),
    shape: text,
  }),
} as const

/**
 * JSON schemas of front matter. Messages print `description` as what was expected.
 * A test requires that `sql/README.md` documents every key.
 */
import {
  CHART_KINDS,
  CHART_ORDERS,
  COLUMN_TYPES,
  DATE_BASES,
  METRIC_FORMATS,
  PERIOD_AGGREGATIONS,
  ROW_AGGREGATIONS,
} from '../model/terms.ts'
import { DURATION, SIZE } from '../model/quantity.ts'
import { PARAMETER_TYPES } from './parameter-value.ts'

export const DEFAULTS = {
  fresh: { open: '60s', closed: '1h' },
  stale: '24h',
  timeout: '5s',
  maxRows: 10_000,
} as const

/** A replica is probed once a second, so a smaller lag cannot be checked. */
export const MIN_MAX_LAG = '2s'

/** The status line must be sent within 50 s, and an execution may be queued first. */
export const MAX_TIMEOUT = '45s'

/** A JSON schema, and the type of values that it accepts. */
export interface Schema<T> {
  readonly description: string
  /** Never set: it only carries the type. */
  readonly lets?: T
}
type Schemas<T> = { readonly [Key in keyof T]: Schema<T[Key]> }
export type MatterOf<S> = S extends Schema<infer T> ? T : never

function text(description: string, pattern = ''): Schema<string> {
  return { type: 'string', minLength: 1, pattern, description } as Schema<string>
}

function oneOf<T extends string>(what: string, values: readonly T[]): Schema<T> {
  return { type: 'string', enum: values, description: `${what}: ${values.join(', ')}` } as Schema<T>
}

/** An object with known keys, some of them required. */
function keys<T, R extends keyof T>(
  description: string,
  required: readonly R[],
  properties: Schemas<T>,
): Schema<Readonly<Pick<T, R> & Partial<Omit<T, R>>>> {
  const schema = { type: 'object', additionalProperties: false, required, properties, description }
  return schema
}

/** An object whose keys the author chooses. */
function named<T>(
  description: string,
  additionalProperties: Schema<T>,
  minProperties = 1,
): Schema<Readonly<Record<string, T>>> {
  const schema = { type: 'object', minProperties, additionalProperties, description }
  return schema
}

/** One text or more. */
function list(description: string, items: string, limits: object = { uniqueItems: true }) {
  const schema = { type: 'array', minItems: 1, items: text(items), description, ...limits }
  return schema as Schema<readonly string[]>
}

function number(type: 'integer' | 'number', description: string, limits: object) {
  return { type, description, ...limits } as Schema<number>
}

const title = text('a title')
const sentence = text('a sentence in ICU MessageFormat')
const duration = text('a duration such as 5s, 10m or 24h', DURATION)
const type = oneOf('a type', COLUMN_TYPES)
const total = text('an SQL aggregate as text, or none')
const format = oneOf('a format', METRIC_FORMATS)
const flag = { type: 'boolean', description: 'true or false' } as Schema<boolean>
const columnKey = "a column's key"

/** A text; quotes around a number or a truth value may be left out. */
function scalar(description: string) {
  return { type: ['string', 'number', 'boolean'], description } as Schema<string | number | boolean>
}

const parameter = keys('{ title: ..., type: ... }', ['title', 'type'], {
  title,
  type: oneOf('a type', PARAMETER_TYPES),
  required: flag,
  default: scalar('a value'),
  minimum: scalar('a value'),
  maximum: scalar('a value'),
  values: named('values with their labels, or { sql: ... }', text('a label')),
})

const common = {
  parameters: named('parameters, each as name: { title: ..., type: ... }', parameter),
  shared: flag,
  fresh: keys('durations, such as { open: 60s, closed: 1h }', [], {
    open: duration,
    closed: duration,
  }),
  stale: duration,
  maxLag: duration,
  timeout: duration,
  budget: keys(
    'what a plan may cost, such as { buffersPerThousandRows: 50 }',
    ['buffersPerThousandRows'],
    {
      buffersPerThousandRows: number('number', 'a number of buffers above 0', {
        exclusiveMinimum: 0,
      }),
      seqScan: text('a size such as 1MiB, or any', `${SIZE}|^any$`),
      spill: text('a size such as 4MiB, or none', `${SIZE}|^none$`),
    },
  ),
}

const aggregation = keys('how figures are combined, such as { rows: sum, periods: sum }', [], {
  rows: oneOf('an aggregation of rows', ROW_AGGREGATIONS),
  periods: oneOf('an aggregation of periods', PERIOD_AGGREGATIONS),
})
const day = text('a date such as 2026-12-01', String.raw`^\d{4}-\d\d-\d\d$`)
const deprecated = keys('dates, such as { since: 2026-12-01, sunset: 2027-06-01 }', ['since'], {
  since: day,
  sunset: day,
})
const currency = text('the key of the column with ISO 4217 codes')
const link = text('a link such as /reports/invoices?customer={customer_id}')
const column = keys('{ title: ..., type: ... }', ['title', 'type'], {
  title,
  type,
  total,
  hidden: flag,
  unit: text('a unit such as hour, or the key of the column that names it'),
  aggregation,
  currency,
  link,
})
const chart = keys('{ kind: ..., measures: [...], label: ... }', ['kind', 'measures', 'label'], {
  kind: oneOf('a kind of chart', CHART_KINDS),
  measures: list(
    'a list of one to four column keys, each once, such as [invoiced, paid]',
    columnKey,
    { uniqueItems: true, maxItems: 4 },
  ),
  label: text(columnKey),
  order: oneOf('an order', CHART_ORDERS),
})
/** Of money that comes in whole units of its currency. */
const unit = oneOf('a unit of money', ['major'])
const fact = keys('{ type: ..., total: ... }', ['type'], { type, total, unit, currency })
const metric = keys('{ title: ..., format: ... }', ['title', 'format'], { title, format, unit })

export const REPORT_SCHEMA = keys('keys and values', ['title', 'columns', 'summary'], {
  title,
  description: text('a sentence'),
  dateBasis: oneOf('a date that the period applies to', DATE_BASES),
  keywords: list('a list of words, each once, such as [invoices, debt]', 'a word'),
  position: number('integer', 'a whole number from 1 to 999', { minimum: 1, maximum: 999 }),
  columns: named('columns, each as key: { title: ..., type: ... }', column),
  key: list('a list of column keys, each once, such as [customer_id]', columnKey),
  chart,
  link,
  facts: named('facts, each as name: { type: ..., total: ... }', fact, 0),
  summary: sentence,
  emptySummary: sentence,
  deprecated,
  ...common,
  maxRows: number('integer', 'a whole number of rows above 0', { minimum: 1 }),
})

export const METRICS_SCHEMA = keys('keys and values', ['metrics'], {
  metrics: named('metrics, each as code: { title: ..., format: ... }', metric),
  ...common,
})

/** Durations and sizes are text. */
export type ReportMatter = MatterOf<typeof REPORT_SCHEMA>
export type MetricsMatter = MatterOf<typeof METRICS_SCHEMA>
export type CommonMatter = Omit<MetricsMatter, 'metrics'>
export type BudgetMatter = NonNullable<CommonMatter['budget']>

export const TENANCY_EXPECTED = 'a column, "via <table> (<column> = <key>)" or "shared"'

const tableMatter = keys(`${TENANCY_EXPECTED}, or { tenancy: ..., table: ... }`, ['tenancy'], {
  tenancy: text(TENANCY_EXPECTED),
  table: text('a name, or a schema and a name, such as archive.sales'),
  columns: list('a list of columns, such as [id, amount]', "a column's name", {}),
  because: text('a sentence'),
})
export type TableMatter = MatterOf<typeof tableMatter>

const PAGE_COLUMN = '[a-z][a-z0-9_-]*\\.[a-z][a-z0-9_]*'

export const PRODUCT_SCHEMA = keys('keys and values', ['language', 'currency', 'total'], {
  language: text('a language, such as en'),
  currency: keys('a currency, such as { code: EUR } or { code: UGX, digits: 2 }', ['code'], {
    code: text('three capital letters, such as EUR', '^[A-Z]{3}$'),
    digits: number('integer', 'a whole number from 0 to 4', { minimum: 0, maximum: 4 }),
  }),
  total: text('the label of the totals row, such as Total'),
  keys: text('where a customer finds a key, such as "Settings > API"'),
  tier: text('the tier that includes the API, such as Business'),
  page: keys('groups, cards and shortfall', [], {
    groups: named(
      'titles of the folders of reports, such as { billing: Billing }',
      text('a title'),
    ),
    cards: named(
      'the first metrics, such as { income: profit_loss.income, profit: none }',
      text(
        'none, or the columns of a report by month that add up to it, such as profit_loss.income + other_income',
        `^(none|${PAGE_COLUMN}( \\+ [a-z][a-z0-9_]*)*)$`,
      ),
    ),
    shortfall: text('a column of a report, such as payments.lowest', `^${PAGE_COLUMN}$`),
  }),
})

/** By table. */
export const TENANCY_SCHEMA = named(
  'a line for each table, such as "orders: shop_id"',
  { if: { type: 'string' }, else: tableMatter, description: TENANCY_EXPECTED } as Schema<
    string | TableMatter
  >,
  0,
)

/**
 * The keys of front matter, as JSON schemas; each `description` is what messages say was expected.
 * `sql/README.md` documents every key here, under a test.
 */
import { COLUMN_TYPES, METRIC_FORMATS, type ColumnType, type MetricFormat } from '../model/terms.ts'
import { DURATION } from './durations.ts'
import { SIZE } from './sizes.ts'

export interface ColumnMatter {
  readonly title: string
  readonly type: ColumnType
  readonly total?: string
  readonly hidden?: boolean
}

export interface FactMatter {
  readonly type: ColumnType
  readonly total?: string
}

/** Sizes are still text. */
export interface BudgetMatter {
  readonly buffersPerThousandRows: number
  readonly seqScan?: string
  readonly spill?: string
}

/** Durations are still text. */
export interface CommonMatter {
  readonly fresh?: { readonly open?: string; readonly closed?: string }
  readonly stale?: string
  readonly maxLag?: string
  readonly timeout?: string
  readonly budget?: BudgetMatter
}

export interface ReportMatter extends CommonMatter {
  readonly title: string
  readonly columns: Readonly<Record<string, ColumnMatter>>
  readonly key?: readonly string[]
  readonly facts?: Readonly<Record<string, FactMatter>>
  readonly summary: string
  readonly emptySummary?: string
  readonly maxRows?: number
}

export interface MetricsMatter extends CommonMatter {
  readonly metrics: Readonly<
    Record<string, { readonly title: string; readonly format: MetricFormat }>
  >
}

/** What a definition gets that says nothing else. */
export const DEFAULTS = {
  fresh: { open: '60s', closed: '1h' },
  stale: '24h',
  timeout: '5s',
  maxRows: 10_000,
  emptySummary: 'За {period} данных нет.',
} as const

/** A replica is looked at once a second: what is asked for below cannot be known. */
export const MIN_MAX_LAG = '2s'

/** A status line must be out within 50 s, and a run may have to wait for its turn. */
export const MAX_TIMEOUT = '45s'

const title = { type: 'string', minLength: 1, description: 'a title in Russian' }
const sentence = { type: 'string', minLength: 1, description: 'a sentence in ICU MessageFormat' }
const duration = {
  type: 'string',
  pattern: DURATION,
  description: 'a duration such as 5s, 10m or 24h',
}
const type = {
  type: 'string',
  enum: [...COLUMN_TYPES],
  description: `a type: ${COLUMN_TYPES.join(', ')}`,
}
const total = { type: 'string', minLength: 1, description: 'an SQL aggregate as text, or none' }

const common = {
  fresh: {
    type: 'object',
    additionalProperties: false,
    properties: { open: duration, closed: duration },
    description: 'durations, such as { open: 60s, closed: 1h }',
  },
  stale: duration,
  maxLag: duration,
  timeout: duration,
  budget: {
    type: 'object',
    additionalProperties: false,
    required: ['buffersPerThousandRows'],
    properties: {
      buffersPerThousandRows: {
        type: 'number',
        exclusiveMinimum: 0,
        description: 'a number of buffers above 0',
      },
      seqScan: {
        type: 'string',
        pattern: `${SIZE}|^any$`,
        description: 'a size such as 1MiB, or any',
      },
      spill: {
        type: 'string',
        pattern: `${SIZE}|^none$`,
        description: 'a size such as 4MiB, or none',
      },
    },
    description: 'what a plan may cost, such as { buffersPerThousandRows: 50 }',
  },
}

export const REPORT_SCHEMA = {
  type: 'object',
  description: 'keys and values',
  additionalProperties: false,
  required: ['title', 'columns', 'summary'],
  properties: {
    title,
    columns: {
      type: 'object',
      minProperties: 1,
      description: 'columns, each as key: { title: ..., type: ... }',
      additionalProperties: {
        type: 'object',
        description: '{ title: ..., type: ... }',
        additionalProperties: false,
        required: ['title', 'type'],
        properties: {
          title,
          type,
          total,
          hidden: { type: 'boolean', description: 'true or false' },
        },
      },
    },
    key: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', description: "a column's key" },
      description: 'a list of column keys, each once, such as [category]',
    },
    facts: {
      type: 'object',
      description: 'facts, each as name: { type: ..., total: ... }',
      additionalProperties: {
        type: 'object',
        description: '{ type: ..., total: ... }',
        additionalProperties: false,
        required: ['type'],
        properties: { type, total },
      },
    },
    summary: sentence,
    emptySummary: sentence,
    ...common,
    maxRows: { type: 'integer', minimum: 1, description: 'a whole number of rows above 0' },
  },
}

export const METRICS_SCHEMA = {
  type: 'object',
  description: 'keys and values',
  additionalProperties: false,
  required: ['metrics'],
  properties: {
    metrics: {
      type: 'object',
      minProperties: 1,
      description: 'metrics, each as code: { title: ..., format: ... }',
      additionalProperties: {
        type: 'object',
        description: '{ title: ..., format: ... }',
        additionalProperties: false,
        required: ['title', 'format'],
        properties: {
          title,
          format: {
            type: 'string',
            enum: [...METRIC_FORMATS],
            description: `a format: ${METRIC_FORMATS.join(', ')}`,
          },
        },
      },
    },
    ...common,
  },
}

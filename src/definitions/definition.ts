/** The parsed form of a file under `sql/`, which all other folders use. */
import type { Currency } from '../model/currency.ts'
import type {
  Chart,
  Column,
  ColumnType,
  DateBasis,
  IsoDate,
  Instant,
  Metric,
} from '../model/terms.ts'
import type { Milliseconds, Period, RawField, Seconds } from '../model/terms.ts'
import type {
  AccessDefinition,
  HeartbeatDefinition,
  OrganizationsDefinition,
} from './access-definition.ts'
import type { Budget } from './budget.ts'
import type { Finding } from './findings.ts'
import type { MatterPath } from './front-matter.ts'
import type { NamedObject } from './named-objects.ts'
import type { ParameterType } from './parameter-value.ts'
import type { Product } from './product.ts'
import type { MetricsMatter, ReportMatter } from './schemas.ts'
import type { DefinedFile } from './source-file.ts'
import type { Insertion, Place, SqlPieces } from './sql/sql-pieces.ts'
import type { DeclaredTable, Tenancy } from './tenancy.ts'
import type { RowsOf } from './tenant-rows.ts'

/** The names that SQL may bind, each to one typed `$n`. */
export const PLACEHOLDERS = [
  'organization_id',
  'period_start',
  'period_end',
  'period_start_at',
  'period_end_at',
  'today',
  'as_of',
  'now',
  'time_zone',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

/** A typed value beside the period. Its values are in their canonical form. */
export interface Parameter {
  readonly name: string
  readonly title: string
  readonly type: ParameterType
  readonly required: boolean
  readonly default: string | null
  readonly minimum: string | null
  readonly maximum: string | null
  /** Those that the definition lists: no other is accepted. */
  readonly choices: readonly Choice[] | undefined
  /** The only value that the key of a request may read: its default, too. */
  readonly fixed?: string | undefined
  /** Selects the values of an organization. */
  readonly query: ChoiceQuery | undefined
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** By name, in the order of the names; null if it has neither a value nor a default. */
export type ParameterValues = ReadonlyMap<string, string | null>

/** Values for the placeholders of one execution. */
export interface Bindings {
  readonly organizationId: string
  readonly period: Period
  /** Today in the organization's time zone. */
  readonly today: IsoDate
  readonly now: Instant
  readonly timeZone: string
  /** By default, those of the definition. */
  readonly parameters?: ParameterValues | undefined
}

declare const compiled: unique symbol
/** SQL that `compileStatement` made: the only text that is executed for an organization. */
export type StatementText = string & { readonly [compiled]: true }

/** A compiled statement. Only the type of the organization's id is open: the access query determines it. */
export interface Statement {
  readonly pieces: SqlPieces
  /** SQL text with `$1`, `$2`, ...; `idType` is a PostgreSQL type name such as `uuid`. */
  text(idType: string): StatementText
  /**
   * What stands in the file at a position of that text, which PostgreSQL counts in characters from 1: an offset, or for
   * a total the line of its key; for the gateway's own SQL at most a table.
   */
  placeOf(idType: string, position: number): Place
  readonly parameterCount: number
  /** The values of `$1`, `$2`, ... in order, as text. */
  values(bindings: Bindings): RawField[]
  /** Whether `:today`, `:as_of` or `:now` occurs: if so, the date is part of the cache key. */
  readonly usesToday: boolean
}

/** A statement of a file, and how its result is cached. */
export interface Executable extends DefinedFile {
  /** Unique, safe as a metric label: `profit_loss`, `metrics/finance`, of a list of values `profit_loss.project`. */
  readonly name: string
  readonly statement: Statement
  /** By name. */
  readonly parameters: readonly Parameter[]
  /** Whether the summary names `as_of`, or a workbook the day of a state: the date is part of the cache key, too. */
  readonly textsUseToday?: boolean
  readonly freshSeconds: { readonly open: Seconds; readonly closed: Seconds }
  readonly staleSeconds: Seconds
  /** The maximum lag of a replica that may execute it; undefined for any. */
  readonly maxLagMs: Milliseconds | undefined
  readonly timeoutMs: Milliseconds
}

/** Returns the values of a parameter for an organization, in their order: the texts `value` and `label`. */
export interface ChoiceQuery extends Executable {
  /** Of the values. */
  readonly type: ParameterType
}

/** A report or a file of metrics. */
export interface Definition extends Executable {
  /** Hash of the product, and of the compiled statement and its totals, without comments and white space. */
  readonly statementHash: string
  /** Undefined if the file sets none. */
  readonly budget: Budget | undefined
  readonly product: Product
  /** Of money. */
  readonly currency: Currency
  readonly source: DefinitionSource
}

/** The source of a definition, for tools that report lines of its file. */
export interface DefinitionSource<Matter = ReportMatter | MetricsMatter> {
  /** The whole file. */
  readonly text: string
  readonly matter: Matter
  /** The line of a front matter key, or of the innermost existing key that contains it. */
  readonly lineOf: (path: MatterPath) => number
  /** The statement without totals that the gateway adds. */
  readonly statement: Statement
  /** The tables of `tenancy.yaml` that it names. */
  readonly tables: readonly DeclaredTable[]
  readonly tenancy: Tenancy
  /** Why rows of children cost more than in a statement by hand, and what helps. */
  readonly notes: readonly Finding[]
  /** In the statement and in totals. */
  readonly objects: readonly NamedObject[]
  /** The statement over other rows of its tables, by default with totals. Insertions are at offsets in the file. */
  readonly over: (
    rowsOf: RowsOf,
    options?: {
      readonly totals?: boolean | undefined
      readonly insertions?: readonly Insertion[] | undefined
    },
  ) => Statement
  /** Offset in the file after the front matter. */
  readonly sqlStart: number
  /** Offsets in the file: the statement's first token, and the end of its last, without a semicolon. */
  readonly start: number
  readonly end: number
  /** The line of `start`. */
  readonly firstLine: number
  /** Aggregates that the gateway adds, by column or fact. */
  readonly totals: ReadonlyMap<string, SqlPieces>
  /** Whether the statement returns its totals row itself. */
  readonly returnsTotals: boolean
}

/**
 * A report. Its statement returns, by name: `is_total` (boolean), optionally `row_count` (bigint, in
 * the totals row), every visible column, and every name in `summaryColumns`. Exactly one row is the
 * totals row; if the gateway adds the totals, it is the first row and has `row_count`.
 */
export interface ReportDefinition extends Definition {
  readonly source: DefinitionSource<ReportMatter>
  readonly code: string
  readonly title: string
  /** The folder's name. */
  readonly group: string
  readonly description: string | undefined
  readonly dateBasis: DateBasis | undefined
  /** Words, besides those of title and description, by which a person looks for the report. */
  readonly keywords: readonly string[]
  /** Where it stands in its group. */
  readonly position: number
  /** Undefined if it is not deprecated. `sunset`: it may be removed from that day on. */
  readonly deprecated: { readonly since: IsoDate; readonly sunset?: IsoDate } | undefined
  /** Visible columns, in the order of the response. */
  readonly columns: readonly Column[]
  /** Key of the visible text column that contains the label of the totals. */
  readonly labelColumn: string
  /** Keys of the columns that identify a row. */
  readonly key: readonly string[]
  /** What a person sees first; undefined if the figures have no picture. */
  readonly chart: Chart | undefined
  /** Columns of the totals row that the summary may name: visible, hidden, and facts. */
  readonly summaryColumns: ReadonlyMap<string, ColumnType>
  readonly maxRows: number
  /** The summary sentence, from the totals row; the empty sentence if there are no rows. */
  summarize(totals: Totals): string
}

/** The input of a summary. */
export interface Totals {
  readonly fields: ReadonlyMap<string, RawField>
  readonly rowCount: number
  /** Of money, by column or fact. */
  readonly currencyOf: (name: string) => Currency | undefined
  readonly period: Period
  readonly today: IsoDate
}

/** A file of metrics: one statement that returns one row with a column for each metric. */
export interface MetricsDefinition extends Definition {
  readonly source: DefinitionSource<MetricsMatter>
  /** The file's name: `finance`. */
  readonly area: string
  readonly metrics: readonly Metric[]
}

/** All definitions in `SQL_DIR`. The maps have the order of the API's lists. */
export interface Catalog {
  readonly product: Product
  readonly reports: ReadonlyMap<string, ReportDefinition>
  /** By area. */
  readonly metricsFiles: ReadonlyMap<string, MetricsDefinition>
  /** By metric code. */
  readonly metrics: ReadonlyMap<string, { metric: Metric; file: MetricsDefinition }>
  readonly access: AccessDefinition
  /** Undefined without such a file. */
  readonly organizations: OrganizationsDefinition | undefined
  /** Undefined without such a file. */
  readonly heartbeat: HeartbeatDefinition | undefined
}

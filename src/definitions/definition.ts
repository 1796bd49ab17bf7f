/** What a file under `sql/` becomes once it is parsed: the values that the other rooms work with. */
import type {
  Column,
  ColumnType,
  IsoDate,
  Instant,
  Metric,
  Period,
  RawField,
} from '../model/terms.ts'
import type { Milliseconds, Seconds } from '../model/terms.ts'
import type { Budget } from './budget.ts'
import type { MatterPath } from './front-matter.ts'
import type { MetricsMatter, ReportMatter } from './schemas.ts'

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

/** What a run is bound to; `bind` turns it into the statement's values. */
export interface Bindings {
  readonly organizationId: string
  readonly period: Period
  /** Today in the organization's time zone. */
  readonly today: IsoDate
  readonly now: Instant
  readonly timeZone: string
}

/** A statement that is ready but for the type of the organization's id, which the access query decides. */
export interface Statement {
  /** SQL text with `$1`, `$2`, ...; `idType` is a PostgreSQL type name such as `uuid`. */
  text(idType: string): string
  /** The values of `$1`, `$2`, ... in order, as text. */
  values(bindings: Bindings): string[]
  /** True where `:today`, `:as_of` or `:now` occurs: today then belongs to the cache key. */
  readonly usesToday: boolean
}

/** What reports and metrics files have in common. */
export interface Definition {
  /** Unique among all definitions, safe as a metric label: `profit_loss`, `metrics/finance`. */
  readonly name: string
  /** As messages name it: `sql/reports/finance/profit_loss.sql`. */
  readonly file: string
  /** Hash of the file's bytes: part of every cache key. */
  readonly version: string
  readonly statement: Statement
  readonly freshSeconds: { readonly open: Seconds; readonly closed: Seconds }
  readonly staleSeconds: Seconds
  /** Not from a replica that may be further behind; undefined is any. */
  readonly maxLagMs: Milliseconds | undefined
  readonly timeoutMs: Milliseconds
  /** Undefined where its author holds it to none. */
  readonly budget: Budget | undefined
  readonly source: DefinitionSource
}

/** A definition as it was written, for tools that point into its file. */
export interface DefinitionSource<Matter = ReportMatter | MetricsMatter> {
  /** The whole file. */
  readonly text: string
  readonly matter: Matter
  /** The line of a key of the front matter, or of the nearest one around it. */
  readonly lineOf: (path: MatterPath) => number
  /** The statement alone, without totals of the gateway's making. */
  readonly statement: Statement
  /** Offset in the file, and line of it, at which the statement begins. */
  readonly start: number
  readonly firstLine: number
  /** Whether the statement marks a totals row of its own. */
  readonly bringsTotals: boolean
}

/**
 * A report. Its statement returns, by name: `is_total` (boolean), optionally `row_count` (bigint, in
 * the totals row), every visible column, and every name in `summaryColumns`. Exactly one row is the
 * totals row; where totals are aggregates of the gateway's making it comes first, with `row_count`.
 */
export interface ReportDefinition extends Definition {
  readonly source: DefinitionSource<ReportMatter>
  readonly code: string
  /** Russian. */
  readonly title: string
  /** The folder's name. */
  readonly group: string
  /** The visible ones, in the order of the answer. */
  readonly columns: readonly Column[]
  /** Key of the visible text column that carries the totals' label. */
  readonly labelColumn: string
  /** Keys of the columns that make a row unique. */
  readonly key: readonly string[]
  /** What the summary may name, from the totals row: visible columns, hidden columns and facts. */
  readonly summaryColumns: ReadonlyMap<string, ColumnType>
  readonly maxRows: number
  /** The one sentence about the period, from the totals row. Takes the empty sentence at 0 rows. */
  summarize(totals: Totals): string
}

/** What a summary is made of. */
export interface Totals {
  readonly fields: ReadonlyMap<string, RawField>
  readonly rowCount: number
  readonly period: Period
  readonly today: IsoDate
}

/** A file of metrics: one statement, one row, one column a metric. */
export interface MetricsDefinition extends Definition {
  /** The file's name: `finance`. */
  readonly source: DefinitionSource<MetricsMatter>
  readonly area: string
  readonly metrics: readonly Metric[]
}

/** Key hashes to organizations. */
export interface AccessDefinition {
  readonly file: string
  /** Hash of the file's bytes. */
  readonly version: string
  /**
   * SQL with `$1` = `bytea[]` of SHA-256 hashes. Returns a row for each key that is valid now:
   * `key_hash` (bytea), `organization_id` (text), `organization_id_type` (text), `time_zone`, `entitled`.
   */
  readonly text: string
  /** SQL with the same `$1`. Returns one row, whether any key is valid or not: `organization_id_type`. */
  readonly idTypeText: string
}

/** How the command line finds organizations by other than their keys. */
export interface OrganizationsDefinition {
  readonly file: string
  /** Hash of the file's bytes. */
  readonly version: string
  /**
   * SQL with `$1` = an id or a nickname, or null for all that have a nickname. Returns `organization_id` (text),
   * `organization_id_type` (text), `nickname`, `time_zone`.
   */
  readonly text: string
  /** The same of every organization, without a parameter. */
  readonly everyText: string
}

/** How the lag of replicas is told by a row that the product writes. */
export interface HeartbeatDefinition {
  readonly file: string
  /** Hash of the file's bytes. */
  readonly version: string
  /** SQL that returns one row: `written_ms`, milliseconds since the epoch, text. */
  readonly text: string
}

/** All that `SQL_DIR` holds. The maps keep the order in which lists are answered. */
export interface Catalog {
  readonly reports: ReadonlyMap<string, ReportDefinition>
  /** By area. */
  readonly metricsFiles: ReadonlyMap<string, MetricsDefinition>
  /** Metric code to the file that has it. */
  readonly metrics: ReadonlyMap<
    string,
    { readonly metric: Metric; readonly file: MetricsDefinition }
  >
  readonly access: AccessDefinition
  /** Undefined where there is no such file. */
  readonly organizations: OrganizationsDefinition | undefined
  /** Undefined where there is no such file. */
  readonly heartbeat: HeartbeatDefinition | undefined
}

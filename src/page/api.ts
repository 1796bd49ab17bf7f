/** Requests to the API with the current key. */
import { ApiProblem, offline, type ProblemFields } from './api-problem.ts'
import { currentKey, logOut } from './session.ts'
import { TEXTS } from './texts.ts'

const PREFIX = '/api/public/v1'

export type CellType =
  | 'text'
  | 'date'
  | 'month'
  | 'datetime'
  | 'integer'
  | 'number'
  | 'percent'
  | 'money'

export interface Dates {
  readonly from: string
  readonly to: string
}

/** The date that the period applies to. */
export interface DateBasis {
  readonly code: string
  readonly title: string
}

export interface ListedReport {
  readonly code: string
  readonly title: string
  readonly group: string
  readonly description: string | null
  readonly keywords: readonly string[]
  readonly dateBasis: DateBasis | null
}

export interface TableColumn {
  readonly key: string
  readonly title: string
  readonly type: CellType
  readonly unit: string | { readonly column: string } | null
  readonly role: 'label' | 'dimension' | 'measure'
  /** Of money: a code, or the column that has those of the rows. */
  readonly currency?: string | { readonly column: string } | undefined
  readonly aggregation: { readonly rows: 'sum' | 'none'; readonly periods: string }
  /** A URI template of the report behind a row. */
  readonly link?: string
  /** The month that a label repeats, whose comparison is beneath the label. */
  readonly month?: TableColumn | undefined
  /** At least; set by the page, so that all rows have as many. */
  readonly decimals?: number
}

export interface DeclaredChart {
  readonly kind: 'columns' | 'lines' | 'bars'
  /** Keys of columns of one type, drawn together. */
  readonly measures: readonly string[]
  readonly label: string
  /** Of bars. */
  readonly order?: 'value' | 'rows'
}

export interface ReportDescription {
  readonly code: string
  readonly title: string
  readonly description: string | null
  readonly dateBasis: DateBasis | null
  readonly key: readonly string[]
  readonly columns: readonly TableColumn[]
  readonly chart: DeclaredChart | null
  /** A URI template of the report behind each row. */
  readonly link?: string
  /** Values of `compare`; empty if the report cannot be compared. */
  readonly compare: readonly string[]
  readonly parameters?: readonly ReportParameter[]
  readonly limits: { readonly maxRows: number }
  readonly formats: readonly { readonly format: string }[]
}

export interface ReportParameter {
  readonly name: string
  readonly title: string
  readonly type: 'text' | 'integer' | 'money' | 'number' | 'date' | 'boolean' | 'uuid'
  readonly required: boolean
  readonly default: Value | null
  /** Null if any value of the type is accepted. */
  readonly values: ReadonlyArray<{ readonly value: Value; readonly label: string }> | null
}

type Value = string | number | boolean

export interface MetricValue {
  readonly code: string
  readonly title: string
  readonly value: number | null
  /** Only with `compare`. */
  readonly compared?: number | null
  readonly change?: number | null
  readonly changePercent?: number | null
  readonly format: string
}

/**
 * @param path below the prefix
 * @param cacheControl `no-cache` for data that are newer than the request
 * @throws ApiProblem; the signal's reason
 */
export async function request(
  path: string,
  signal: AbortSignal,
  cacheControl: 'no-store' | 'no-cache' = 'no-store',
): Promise<Response> {
  const response = await fetch(PREFIX + path, {
    headers: {
      'X-Api-Key': currentKey() ?? '',
      'Accept-Language': document.documentElement.lang,
      // why: without this header, the option `cache` sends `no-cache`, which executes every report anew
      'Cache-Control': cacheControl,
    },
    // why: with credentials, a browser answers 401 with its own login box
    credentials: 'omit',
    // why: figures of an organization must not remain on the disk after logging out
    cache: 'no-store',
    redirect: 'error',
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw offline(error)
  })
  if (response.ok) return response
  const seconds = Number(response.headers.get('Retry-After')) || undefined
  const body: unknown = await response.json().catch(() => undefined)
  const fields = isProblem(body)
    ? body
    : { code: 'unknown', title: TEXTS.offline, detail: `HTTP ${response.status}` }
  const problem = new ApiProblem(fields, response.status, seconds)
  signal.throwIfAborted()
  if (response.status === 401) logOut(problem)
  throw problem
}

function isProblem(body: unknown): body is ProblemFields {
  return typeof body === 'object' && body !== null && 'code' in body && 'title' in body
}

export async function requestJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await request(path, signal)
  return (await response.json()) as T
}

/** `?from=...&to=...` without undefined values. */
export function queryString(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][]).toString()}`
}

export function urlOf(path: string): string {
  return `${location.origin}${PREFIX}${path}`
}

/** What a client asks a definition for, as one value, and its statement. */
import { createHash } from 'node:crypto'
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { daysBetween, isClosed, localDate } from '../../definitions/calendar.ts'
import { comparedPeriods, type ComparisonKind } from '../../definitions/comparison-period.ts'
import { isComparable, MAX_COMPARED_ROWS } from '../../definitions/comparison.ts'
import type {
  Bindings,
  Executable,
  ParameterValues,
  ReportDefinition,
} from '../../definitions/definition.ts'
import { defaultValues } from '../../definitions/parameter-values.ts'
import { currencyIn } from '../../definitions/product.ts'
import type { Currency } from '../../model/currency.ts'
import { Problem } from '../../model/errors.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import { ALL_FORMATS } from '../formats/catalog.ts'
import { onceFor, type Format } from '../formats/format.ts'
import type { Instant, IsoDate, Milliseconds, Organization, Period } from '../../model/terms.ts'
import type { ReportStatement } from '../database/rows.ts'

export interface ReportRequest<D extends Executable = Executable> {
  readonly organization: Organization
  readonly definition: D
  readonly period: Period
  readonly parameters: ParameterValues
  /** The period that it is compared with; undefined without a comparison. */
  readonly comparison?: (Period & { readonly kind: ComparisonKind }) | undefined
  /** The format of the body; undefined for metrics. */
  readonly format: Format | undefined
  /** In the organization's time zone, when the request was made. */
  readonly today: IsoDate
  /** When the request was made. */
  readonly now: Instant
  /** Equal keys have equal statements, bindings and encodings; keys of two organizations always differ. */
  readonly key: string
}

/** @param parameters by default, those of the definition */
export function makeReportRequest<D extends Executable>(
  organization: Organization,
  ofProduct: D,
  period: Period,
  wallMs: Milliseconds,
  format?: Format,
  parameters = defaultValues(ofProduct.parameters),
): ReportRequest<D> {
  const definition = inCurrency(ofProduct, organization.currency, parameters)
  const today = localDate(wallMs, organization.timeZone)
  const now = new Date(wallMs).toISOString()
  return withKey({ organization, definition, period, parameters, format, today, now })
}

/**
 * The definition with money in the currency of an organization, and in those that parameters fix: a parameter of the name
 * of the column with the codes. @param code undefined for the product's
 */
export function inCurrency<D extends Executable>(
  definition: D,
  code: string | undefined,
  values?: ParameterValues,
): D {
  const { columns = [], product }: Partial<ReportDefinition> = definition
  const fixed = columns.map(({ currency }) => {
    const value = currency && 'column' in currency && values?.get(currency.column)
    return product && value && currencyIn(product, value) ? value : ''
  })
  if (code === undefined && fixed.every(one => one === '')) return definition
  return withCurrencies(definition, [code ?? '', ...fixed].join(' ')) as D
}

const withCurrencies = onceFor(
  (definition: Executable & Partial<ReportDefinition>, codes): Executable => {
    const [code = '', ...fixed] = codes.split(' ')
    const { product, currency: ofProduct } = definition
    const found = (one = ''): Currency | undefined => product && currencyIn(product, one)
    const columns = definition.columns?.map((one, at) => {
      const currency = found(fixed[at])
      return currency === undefined ? one : Object.assign({}, one, { currency })
    })
    const currency = found(code) ?? ofProduct
    return Object.assign({}, definition, { currency }, columns && { columns })
  },
)

/** The same request for another period, without a comparison, and perhaps in another format or for other values. */
export function withPeriod<D extends Executable>(
  report: ReportRequest<D>,
  period: Period,
  format = report.format,
  parameters = report.parameters,
): ReportRequest<D> {
  const { organization, definition, today, now } = report
  return withKey({ organization, definition, period, parameters, format, today, now })
}

/** An unfinished period is compared for its days until today. @throws Problem `bad_request` if it cannot be compared */
export function withComparison<D extends AnyDefinition>(
  report: ReportRequest<D>,
  kind: ComparisonKind,
): ReportRequest<D> {
  const { definition, today } = report
  if (!isComparable(definition)) {
    const { name } = definition
    throw new Problem('bad_request', texts => texts.reportNotComparable(name, MAX_COMPARED_ROWS))
  }
  const { period, comparison } = comparedPeriods(report.period, kind, today)
  return { ...withPeriod(report, period), comparison: { ...comparison, kind } }
}

/** Keys of the same rows in other formats; none for metrics, and for a comparison, which is merged from JSON. */
export function keysOfOtherFormats(report: ReportRequest): string[] {
  const { format, period, comparison } = report
  if (format === undefined || comparison !== undefined) return []
  const others = ALL_FORMATS.filter(other => other !== format)
  return others.map(other => withPeriod(report, period, other).key)
}

/** The key is a JSON array, so that values cannot be confused with separators. */
function withKey<D extends Executable>(report: Omit<ReportRequest<D>, 'key'>): ReportRequest<D> {
  const { organization, definition, period, parameters, format, today } = report
  const { name, currency } = organization
  const key = JSON.stringify([
    organization.id,
    definition.name,
    definition.version,
    period.start,
    period.end,
    organization.timeZone,
    format?.name ?? 'metrics',
    // why: documents show the name, and must not show an old one
    ...(name === undefined && currency === undefined ? [] : [{ name, currency }]),
    ...(parameters.size === 0 ? [] : [[...parameters.values()]]),
    ...(definition.statement.usesToday || definition.textsUseToday ? [today] : []),
  ])
  return { key, ...report }
}

/** Longer for periods that have ended. */
export function freshSecondsOf({ definition, period, today }: ReportRequest): number {
  return isClosed(period, today) ? definition.freshSeconds.closed : definition.freshSeconds.open
}

/** @param origin undefined for commands */
export function statementOf(report: ReportRequest, origin?: RequestOrigin): ReportStatement {
  const { definition, organization, period } = report
  return {
    // why: whether a parameter is null decides which rows are read
    similarityKey:
      report.parameters.size > 0 ? undefined : `${organization.id} ${lengthClass(period)}`,
    values: definition.statement.values(bindings(report)),
    organizationId: organization.id,
    origin,
    ...fixedPart(definition, organization.idType),
  }
}

/** What all executions of a definition have in common. */
const fixedPart = onceFor((definition: Executable, idType) => {
  const { name, version, statement, timeoutMs, maxLagMs } = definition
  const text = statement.text(idType)
  return {
    name,
    text,
    preparedName: createHash('sha256').update(`${name} ${version} ${idType}`).digest('base64url'),
    // why: for `pg_stat_activity` and the server's log; constant, so that plans are shared (sqlcommenter's format)
    commentedText: `/*definition='${encodeURIComponent(name)}',version='${version}'*/ ${text}`,
    timeoutMs,
    maxLagMs,
  }
})

/** The lengths of periods in one class differ by less than a factor of 2. */
function lengthClass({ start, end }: Period): number {
  return Math.floor(Math.log2(Math.max(1, daysBetween(start, end))))
}

/** Values of the placeholders. */
export function bindings(report: ReportRequest): Bindings {
  return {
    organizationId: report.organization.id,
    period: report.period,
    today: report.today,
    now: report.now,
    timeZone: report.organization.timeZone,
    parameters: report.parameters,
  }
}

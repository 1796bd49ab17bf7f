/** What a client asks a definition for, as one value, and its statement. */
import { createHash } from 'node:crypto'
import { daysBetween, isClosed, localDate } from '../../definitions/calendar.ts'
import type { ComparisonKind } from '../../definitions/comparison-period.ts'
import type { Bindings, Definition } from '../../definitions/definition.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import { ALL_FORMATS } from '../formats/catalog.ts'
import { perDefinition, type Format } from '../formats/format.ts'
import type { Instant, IsoDate, Milliseconds, Organization, Period } from '../../model/terms.ts'
import type { StatementRequest } from '../database/rows.ts'

export interface ReportRequest<D extends Definition = Definition> {
  readonly organization: Organization
  readonly definition: D
  readonly period: Period
  /** The period that it is compared with; undefined without a comparison. */
  readonly comparison?: (Period & { readonly kind: ComparisonKind }) | undefined
  /** Of the body; undefined for metrics. */
  readonly format: Format | undefined
  /** In the organization's time zone, when the request was made. */
  readonly today: IsoDate
  /** When the request was made. */
  readonly now: Instant
  /** Equal keys have equal statements, bindings and encodings; keys of two organizations always differ. */
  readonly key: string
}

export function makeReportRequest<D extends Definition>(
  organization: Organization,
  definition: D,
  period: Period,
  wallMs: Milliseconds,
  format?: Format,
): ReportRequest<D> {
  const today = localDate(wallMs, organization.timeZone)
  const now = new Date(wallMs).toISOString()
  return withKey({ organization, definition, period, format, today, now })
}

/** The same request for another period, without a comparison, and perhaps in another format. */
export function withPeriod<D extends Definition>(
  report: ReportRequest<D>,
  period: Period,
  format = report.format,
): ReportRequest<D> {
  const { organization, definition, today, now } = report
  return withKey({ organization, definition, period, format, today, now })
}

/** Keys of the same rows in other formats; none for metrics, and for a comparison, which is merged from JSON. */
export function keysOfOtherFormats(report: ReportRequest): string[] {
  const { format, period, comparison } = report
  if (format === undefined || comparison !== undefined) return []
  const others = ALL_FORMATS.filter(other => other !== format)
  return others.map(other => withPeriod(report, period, other).key)
}

/** The key is a JSON array, so that values cannot be confused with separators. */
function withKey<D extends Definition>(report: Omit<ReportRequest<D>, 'key'>): ReportRequest<D> {
  const { organization, definition, period, format, today } = report
  const key = JSON.stringify([
    organization.id,
    definition.name,
    definition.version,
    period.start,
    period.end,
    organization.timeZone,
    format?.name ?? 'metrics',
    // why: documents show the name, and must not show an old one
    ...(organization.name === undefined ? [] : [{ name: organization.name }]),
    ...(definition.statement.usesToday || definition.textsUseToday ? [today] : []),
  ])
  return { key, ...report }
}

/** Longer for periods that have ended. */
export function freshSecondsOf({ definition, period, today }: ReportRequest): number {
  return isClosed(period, today) ? definition.freshSeconds.closed : definition.freshSeconds.open
}

/** @param origin undefined for commands */
export function statementOf(report: ReportRequest, origin?: RequestOrigin): StatementRequest {
  const { definition, organization, period } = report
  return {
    similarityKey: `${organization.id} ${lengthClass(period)}`,
    values: definition.statement.values(bindings(report)),
    organizationId: organization.id,
    origin,
    ...fixedPart(definition, organization.idType),
  }
}

/** What all executions of a definition have in common. */
const fixedPart = perDefinition((definition: Definition, idType) => {
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
  }
}

/** A report request as one value, and its cache key. */
import { createHash } from 'node:crypto'
import { daysBetween, isClosed, localDate } from '../../definitions/calendar.ts'
import type { Bindings, Definition } from '../../definitions/definition.ts'
import type { OrganizationRequest, StatementRequest } from '../database/statement-request.ts'
import type { Instant, IsoDate, Milliseconds, Organization, Period } from '../../model/terms.ts'

export interface ReportRequest<D extends Definition = Definition> {
  readonly organization: Organization
  readonly definition: D
  readonly period: Period
  /** In the organization's time zone, when the request was made. */
  readonly today: IsoDate
  /** When the request was made. */
  readonly now: Instant
}

export function makeReportRequest<D extends Definition>(
  organization: Organization,
  definition: D,
  period: Period,
  wallMs: Milliseconds,
): ReportRequest<D> {
  return {
    organization,
    definition,
    period,
    today: localDate(wallMs, organization.timeZone),
    now: new Date(wallMs).toISOString(),
  }
}

/**
 * Equal keys have equal statements, bindings and encodings; keys of two organizations always differ.
 * A JSON array, so that values cannot be confused with separators.
 */
export function cacheKey(request: ReportRequest, format: string): string {
  const { organization, definition, period, today } = request
  return JSON.stringify([
    organization.id,
    definition.name,
    definition.version,
    period.start,
    period.end,
    organization.timeZone,
    format,
    // why: documents show the name, and must not show an old one
    ...(organization.name === undefined ? [] : [{ name: organization.name }]),
    ...(definition.statement.usesToday || definition.summaryUsesToday ? [today] : []),
  ])
}

/** Longer for periods that have ended. */
export function freshSeconds({ definition, period, today }: ReportRequest): number {
  return isClosed(period, today) ? definition.freshSeconds.closed : definition.freshSeconds.open
}

/**
 * The statement with the organization for its admission.
 * @param format as in `cacheKey`
 */
export function organizationRequest(request: ReportRequest, format: string): OrganizationRequest {
  const identity = cacheKey(request, format)
  return { ...statementOf(request), organizationId: request.organization.id, identity }
}

export function statementOf(request: ReportRequest): StatementRequest {
  const { definition, organization } = request
  return {
    name: definition.name,
    similarityKey: `${organization.id} ${lengthClass(request.period)}`,
    text: definition.statement.text(organization.idType),
    values: definition.statement.values(bindings(request)),
    preparedName: preparedName(definition, organization.idType),
    comment: commentOf(definition),
    timeoutMs: definition.timeoutMs,
    maxLagMs: definition.maxLagMs,
  }
}

/**
 * For `pg_stat_activity`, `pg_stat_statements` and the log of the server; constant, so that plans are shared.
 * @see https://google.github.io/sqlcommenter/spec/
 */
function commentOf({ name, version }: Definition): string {
  return `/*definition='${encodeURIComponent(name)}',version='${version}'*/`
}

/** The lengths of periods in one class differ by less than a factor of 2. */
function lengthClass({ start, end }: Period): number {
  return Math.floor(Math.log2(Math.max(1, daysBetween(start, end))))
}

/** PostgreSQL truncates longer names, which could make two names equal. */
const NAME_MAX_BYTES = 63

/** Equal names have equal texts. */
export function preparedName({ name, version }: Definition, idType: string): string {
  const whole = `${name} ${version} ${idType}`
  if (Buffer.byteLength(whole) <= NAME_MAX_BYTES) return whole
  return createHash('sha256').update(whole).digest('base64url')
}

/** Values of the placeholders. */
export function bindings(request: ReportRequest): Bindings {
  return {
    organizationId: request.organization.id,
    period: request.period,
    today: request.today,
    now: request.now,
    timeZone: request.organization.timeZone,
  }
}

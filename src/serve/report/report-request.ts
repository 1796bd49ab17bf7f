/** What a client asks a definition for, as one value, and its statement. */
import { createHash } from 'node:crypto'
import { daysBetween, isClosed, localDate } from '../../definitions/calendar.ts'
import type { Bindings, Definition } from '../../definitions/definition.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import type { Format } from '../formats/format.ts'
import type { OrganizationRequest, StatementRequest } from '../database/statement-request.ts'
import type { Instant, IsoDate, Milliseconds, Organization, Period } from '../../model/terms.ts'

export interface ReportRequest<D extends Definition = Definition> {
  readonly organization: Organization
  readonly definition: D
  readonly period: Period
  /** The period that it is compared with; undefined without a comparison. */
  readonly comparison?: Period
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
  const request = { organization, definition, period, format, today }
  return { ...request, now: new Date(wallMs).toISOString(), key: keyOf(request) }
}

/** The same request for another period, and perhaps in another format. */
export function withPeriod<D extends Definition>(
  request: ReportRequest<D>,
  period: Period,
  format = request.format,
): ReportRequest<D> {
  const changed = { ...request, period, format }
  return { ...changed, key: keyOf(changed) }
}

/** A JSON array, so that values cannot be confused with separators. */
function keyOf(request: Omit<ReportRequest, 'key' | 'now'>): string {
  const { organization, definition, period, format, today } = request
  return JSON.stringify([
    organization.id,
    definition.name,
    definition.version,
    period.start,
    period.end,
    organization.timeZone,
    format?.name ?? 'metrics',
    // why: documents show the name, and must not show an old one
    ...(organization.name === undefined ? [] : [{ name: organization.name }]),
    ...(definition.statement.usesToday || definition.summaryUsesToday ? [today] : []),
  ])
}

/** Longer for periods that have ended. */
export function freshSeconds({ definition, period, today }: ReportRequest): number {
  return isClosed(period, today) ? definition.freshSeconds.closed : definition.freshSeconds.open
}

/** The statement with the organization for its admission. */
export function organizationRequest(
  request: ReportRequest,
  origin: RequestOrigin | undefined,
): OrganizationRequest {
  return { ...statementOf(request), organizationId: request.organization.id, origin }
}

export function statementOf(request: ReportRequest): StatementRequest {
  const { definition, organization, period } = request
  return {
    ...fixedPartOf(definition, organization.idType),
    similarityKey: `${organization.id} ${lengthClass(period)}`,
    values: definition.statement.values(bindings(request)),
  }
}

type FixedPart = Omit<StatementRequest, 'similarityKey' | 'values' | 'origin'>

/** The last one of each definition. */
const fixedParts = new WeakMap<Definition, { readonly idType: string; readonly part: FixedPart }>()

function fixedPartOf(definition: Definition, idType: string): FixedPart {
  const cached = fixedParts.get(definition)
  if (cached?.idType === idType) return cached.part
  const { name, version, statement, timeoutMs, maxLagMs } = definition
  const text = statement.text(idType)
  const part = {
    name,
    text,
    preparedName: preparedName(definition, idType),
    // why: for `pg_stat_activity` and the server's log; constant, so that plans are shared (sqlcommenter's format)
    commentedText: `/*definition='${encodeURIComponent(name)}',version='${version}'*/ ${text}`,
    timeoutMs,
    maxLagMs,
  }
  fixedParts.set(definition, { idType, part })
  return part
}

/** The lengths of periods in one class differ by less than a factor of 2. */
function lengthClass({ start, end }: Period): number {
  return Math.floor(Math.log2(Math.max(1, daysBetween(start, end))))
}

/** PostgreSQL truncates longer names, which could make two names equal. */
const NAME_MAX_BYTES = 63

/** In ASCII. Equal names have equal texts. */
function preparedName({ name, version }: Definition, idType: string): string {
  const whole = `${name} ${version} ${idType}`
  if (whole.length <= NAME_MAX_BYTES && /^[ -~]+$/.test(whole)) return whole
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

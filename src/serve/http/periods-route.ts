/** `/reports/:code/periods` and `/periods`: the months of a period with fingerprints, so that loaders pull changes only. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import { inclusiveDates, monthsOf } from '../../definitions/calendar.ts'
import { fingerprintKind } from '../../definitions/fingerprint.ts'
import type { FingerprintKind } from '../../definitions/fingerprint.ts'
import { parsePeriod, PERIOD_PARAMETERS } from '../../definitions/period.ts'
import { notNewEnough, Problem } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Clock, Instant, IsoDate, Period } from '../../model/terms.ts'
import { etagOf } from '../body/etag.ts'
import { fingerprintOf, firstMonth, monthContents } from '../body/load-fingerprint.ts'
import type { Fingerprint, LoadFingerprint } from '../body/load-fingerprint.ts'
import { makeReportRequest } from '../body/report-request.ts'
import type { Cache } from '../cache/cache.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext, ApiMiddleware } from './active-requests.ts'
import { cacheRequest } from './cache-request.ts'
import { checkParameters } from './check-parameters.ts'
import { isNewEnough, minDataAsOf, oldestOf } from './min-data-as-of.ts'
import { definitionOf } from './report-routes.ts'
import { sendBytes } from './send-response.ts'

/** Executions of one response. */
const MAX_MONTHS = 240
/** No facts are older; the first day of the API's periods. */
const EARLIEST: IsoDate = '1900-01-01'

interface ReportPeriods {
  readonly code: string
  readonly fingerprint: FingerprintKind
  readonly periods: ReadonlyArray<{
    /** Both inclusive. */
    readonly from: IsoDate
    readonly to: IsoDate
    readonly fingerprint: string | null
    /** Of the fingerprint; null if it is unknown, or there is no fingerprint. */
    readonly dataAsOf: Instant | null
  }>
  /** Why there is none. */
  readonly problem?: ProblemCode
}

interface Month {
  readonly month: Period
  readonly fingerprint?: string
  readonly dataAsOf?: Instant | undefined
}

interface PeriodsOptions {
  readonly cache: Cache
  readonly loadFingerprint: LoadFingerprint
  readonly now: Clock
}

export function reportPeriods(options: PeriodsOptions): ApiMiddleware {
  return async ctx => {
    const list = createLister(ctx, options)
    list.send(await list.of(definitionOf(ctx)))
  }
}

export function allPeriods(options: PeriodsOptions): ApiMiddleware {
  return async ctx => {
    const list = createLister(ctx, options)
    const reports: ReportPeriods[] = []
    for (const definition of ctx.state.catalog.reports.values()) {
      reports.push(await list.of(definition).catch(orProblem(definition, ctx.state.signal)))
    }
    list.send({ reports })
  }
}

/** why: a report that fails must not hide the changes of all others */
const OF_ONE_REPORT: ReadonlySet<ProblemCode> = new Set([
  'bad_range',
  'internal_error',
  'report_timeout',
  'result_too_large',
])

function orProblem({ code }: ReportDefinition, signal: AbortSignal) {
  return (error: unknown): ReportPeriods => {
    const problem = error instanceof Problem ? error.code : 'internal_error'
    if (signal.aborted || !OF_ONE_REPORT.has(problem)) throw error
    return { code, fingerprint: null, periods: [], problem }
  }
}

/** Lists months for one request, one execution after the other. */
function createLister(ctx: ApiContext, { cache, loadFingerprint, now }: PeriodsOptions) {
  checkParameters(ctx.query, PERIOD_PARAMETERS)
  const organization = organizationOf(ctx)
  const min = minDataAsOf(ctx)
  const { from: first = EARLIEST, to } = ctx.query
  const requested = parsePeriod({ from: first, to }, now(), organization.timeZone)
  const isOpen = ctx.query['from'] === undefined
  const monthCount = monthsOf(requested).length
  if (!isOpen && monthCount > MAX_MONTHS) throw tooManyMonths(monthCount)
  const instants: Array<Instant | undefined> = []

  async function read(definition: ReportDefinition, period: Period): Promise<Fingerprint> {
    const request = makeReportRequest(organization, definition, period, now, min)
    const { value } = await cache.get<Fingerprint>({
      ...cacheRequest(ctx, request, 'fingerprint'),
      load: signal => loadFingerprint(request, signal, ctx.state.origin),
    })
    if (!isNewEnough(value, min)) throw notNewEnough(value.dataAsOf)
    instants.push(value.dataAsOf)
    return value
  }

  /**
   * The first month until `end` whose facts show; undefined if the report has no rows.
   * why: some reports have rows without facts, such as accounts without movements
   */
  async function searchFirstMonth(
    definition: ReportDefinition,
    end: IsoDate,
  ): Promise<IsoDate | undefined> {
    const months = monthsOf({ start: EARLIEST, end })
    const before = (month: number) =>
      read(definition, { start: EARLIEST, end: months[month]?.start ?? end })
    const nothing = await before(1)
    const everything = await before(months.length)
    if (everything.content === nothing.content) {
      return everything.hasRows ? months.at(-1)?.start : undefined
    }
    let [empty, known] = [1, months.length]
    // why: most histories are short, and a short one costs little to search
    for (let step = 12; known - empty > 1; step *= 2) {
      const middle = Math.max(Math.floor((known + empty) / 2), known - step)
      if ((await before(middle)).content === nothing.content) empty = middle
      else known = middle
    }
    return months[empty]?.start
  }

  function monthsFrom(start: IsoDate | undefined): Period[] {
    const months = start === undefined ? [] : monthsOf({ start, end: requested.end })
    if (months.length > MAX_MONTHS) throw tooManyMonths(months.length)
    return months
  }

  /** One execution for each month. */
  async function readEach(definition: ReportDefinition): Promise<Month[]> {
    const start = isOpen ? await searchFirstMonth(definition, requested.end) : requested.start
    const list: Month[] = []
    for (const month of monthsFrom(start)) {
      // why: what depends on the clock may differ by the next request
      const found = definition.statement.usesClock ? {} : await read(definition, month)
      list.push({ month, ...found })
    }
    return list
  }

  /** One execution for all months. */
  async function readTogether(definition: ReportDefinition): Promise<Month[]> {
    const { content, dataAsOf } = await read(definition, requested)
    const first = firstMonth(content)
    const open = first && (first < EARLIEST ? EARLIEST : `${first}-01`)
    const months = monthsFrom(isOpen ? open : requested.start)
    const contents = monthContents(content, months)
    return months.map((month, at) => {
      const request = makeReportRequest(organization, definition, month, now)
      return { month, fingerprint: fingerprintOf(request, contents[at]!), dataAsOf }
    })
  }

  return {
    async of(definition: ReportDefinition): Promise<ReportPeriods> {
      // why: a state may have been that of no facts again, so its first month cannot be searched
      if (isOpen && definition.dateBasis === 'state') throw needsFrom(definition)
      const kind = fingerprintKind(definition)
      const list =
        kind === 'aggregate' ? await readTogether(definition) : await readEach(definition)
      const periods = list.map(({ month, fingerprint = null, dataAsOf = null }) => {
        const { from, to } = inclusiveDates(month)
        return { from, to, fingerprint, dataAsOf }
      })
      return { code: definition.code, fingerprint: kind, periods }
    },
    /** Adds the oldest `dataAsOf`; null if one is unknown, or nothing was executed. */
    send(listed: object): void {
      const dataAsOf = oldestOf(instants) ?? null
      if (dataAsOf !== null) ctx.set('Data-As-Of', dataAsOf)
      const bytes = Buffer.from(`${JSON.stringify({ ...listed, dataAsOf })}\n`)
      // why: 304 says that nothing has changed, and the time of the data differs each time
      const withoutTimes = JSON.stringify(listed, (key, value: unknown) =>
        key === 'dataAsOf' ? undefined : value,
      )
      const etag = `W/${etagOf(Buffer.from(withoutTimes))}`
      const head = { contentType: JSON_FORMAT.contentType, coding: 'identity' } as const
      sendBytes(ctx, head, { bytes, etag })
    },
  }
}

function needsFrom({ code }: ReportDefinition): Problem {
  return new Problem('bad_range', {
    ru: `Отчёт ${code} показывает состояние на конец периода: задайте from.`,
    en: `The report ${code} shows the state at the end of a period: set from.`,
  })
}

function tooManyMonths(count: number): Problem {
  return new Problem('bad_range', {
    ru: `В периоде ${count} месяцев, а ожидалось не больше ${MAX_MONTHS}. Задайте from позже.`,
    en: `The period has ${count} months; expected at most ${MAX_MONTHS}. Set a later from.`,
  })
}

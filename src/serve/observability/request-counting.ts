/** What a request moves. On the way of every hit: no label is made here but for a series that is new. */
import { PROBLEMS, REFUSAL_REASONS } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import type { Observation, Route } from '../../model/observation.ts'
import { ROUTES } from '../../model/observation.ts'
import { CACHE_OUTCOMES, REPORT_FORMATS } from '../../model/terms.ts'
import type { CounterSeries } from './counter.ts'
import { observeIn } from './histogram.ts'
import type { HistogramSeries } from './histogram.ts'
import type { Instruments } from './instruments.ts'
import { closedSet } from './label-sets.ts'
import { NO_NAME } from './start-at-zero.ts'

type RequestFact = Extract<Observation, { kind: 'request' }>

/** The series of one report on one route. */
interface ReportTally {
  readonly report: string
  readonly durations: HistogramSeries
  readonly byStatus: Map<number, CounterSeries>
}

interface RouteTally {
  readonly route: Route
  readonly sentBytes: CounterSeries
  readonly byReport: Map<string, ReportTally>
}

const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]

/**
 * @param reports the codes that may be labels; may grow
 * @returns takes facts whose numbers are sound; throws, having counted nothing, where a label is not of its set
 */
export function createRequestCounting(
  { counter, histogram }: Instruments,
  reports: ReadonlySet<string>,
): (fact: RequestFact) => void {
  const requests = counter('svodka_http_requests_total')
  const durations = histogram('svodka_http_request_duration_seconds')
  const sentBytes = counter('svodka_http_response_bytes_total')
  const problems = counter('svodka_problems_total')
  const refused = counter('svodka_requests_refused_total')
  const cacheRequests = counter('svodka_cache_requests_total')
  const formats = counter('svodka_report_answers_total')

  const shortcuts = counter('svodka_http_shortcut_requests_total').series({})
  const aborts = counter('svodka_http_client_aborts_total').series({})
  const problemOf = closedSet(PROBLEM_CODES, code => problems.series({ code }))
  const refusedOf = closedSet(REFUSAL_REASONS, reason => refused.series({ reason }))
  const cacheOf = closedSet(CACHE_OUTCOMES, result => cacheRequests.series({ result }))
  const formatOf = closedSet(REPORT_FORMATS, format => formats.series({ format }))
  const tallyOf = closedSet(ROUTES, (route): RouteTally => ({
    route,
    sentBytes: sentBytes.series({ route }),
    byReport: new Map(),
  }))

  function startReport(tally: RouteTally, name: string | undefined): ReportTally {
    const report = name !== undefined && reports.has(name) ? name : NO_NAME
    const known = tally.byReport.get(report)
    if (known !== undefined) return known
    const { route } = tally
    const made = { report, durations: durations.series({ route, report }), byStatus: new Map() }
    tally.byReport.set(report, made)
    return made
  }

  function startStatus(route: Route, tally: ReportTally, status: number): CounterSeries {
    const made = requests.series({ route, report: tally.report, status })
    tally.byStatus.set(status, made)
    return made
  }

  return fact => {
    const { route, report, status, problem, refusal, cache, format } = fact
    const ofRoute = tallyOf(route)
    const problemSeries = problem === undefined ? undefined : problemOf(problem)
    const refusedSeries = refusal === undefined ? undefined : refusedOf(refusal)
    const cacheSeries = cache === undefined ? undefined : cacheOf(cache)
    const formatSeries = format === undefined ? undefined : formatOf(format)
    const ofReport = ofRoute.byReport.get(report ?? NO_NAME) ?? startReport(ofRoute, report)
    const ofStatus = ofReport.byStatus.get(status) ?? startStatus(route, ofReport, status)
    ofStatus.value += 1
    observeIn(ofReport.durations, fact.durationMs / 1000)
    ofRoute.sentBytes.value += fact.sentBytes
    if (fact.shortcut) shortcuts.value += 1
    if (fact.aborted) aborts.value += 1
    if (problemSeries !== undefined) problemSeries.value += 1
    if (refusedSeries !== undefined) refusedSeries.value += 1
    if (cacheSeries !== undefined) cacheSeries.value += 1
    if (formatSeries !== undefined) formatSeries.value += 1
  }
}

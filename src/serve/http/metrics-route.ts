/** `/metrics`: business figures from several files, each cached as a whole. */
import { printable, Problem } from '../../model/errors.ts'
import { isComparable } from '../../definitions/comparison.ts'
import type { MetricsDefinition, Parameter } from '../../definitions/definition.ts'
import { queryOfValues, valuesFor } from '../../definitions/parameter-values.ts'
import { parsePeriod } from '../../definitions/period.ts'
import { PREFIX, type Metric } from '../../model/terms.ts'
import type { Reader } from '../access/access-rows.ts'
import type { Cached } from '../cache/entry.ts'
import { parametersJson } from '../formats/json/json-field.ts'
import { metricsBody, type MetricValues } from '../report/load-metrics.ts'
import { makeReportRequest, withComparison, withPeriod } from '../report/report-request.ts'
import { combinedResponse } from './combined-reports.ts'
import { canonicalQuery, readParameters, type QueryValues } from './negotiation.ts'
import { notAllowed } from './report-route.ts'
import { requireRead, type Request } from './request.ts'
import type { Response } from './response.ts'

const OF_API = ['from', 'to', 'compare', 'codes']
/** In a request. */
const MAX_CODES = 50
/** In a message. */
const MAX_NAMED_CODES = 5

type AskedMetric = { readonly metric: Metric; readonly file: MetricsDefinition }
type AskedMetrics = ReturnType<typeof readMetricsQuery>

/** @throws Problem */
export function readMetricsQuery(request: Request, organization: Reader) {
  requireRead(request)
  const { receivedAt } = request
  const { metrics } = organization.catalog
  const declaredByAny = parametersOf([...metrics.values()].map(({ file }) => file))
  const known = [...OF_API, ...declaredByAny]
  const { values, hasIgnored } = readParameters(request.queryString, known)
  const { compare } = values
  const codes = parseCodes(values.codes ?? '', [...metrics.keys()])
  const asked = codes.flatMap(code => metrics.get(code) ?? [])
  const files = [...new Set(asked.map(({ file }) => file))]
  requireDeclared(values, declaredByAny, asked)
  const parameters = files.map(file => valuesFor(file.parameters, values))
  const period = parsePeriod(values, receivedAt, organization.timeZone)
  requireReadable(codes, organization.catalog)
  const plain = files.map((file, at) =>
    makeReportRequest(organization, file, period, receivedAt, undefined, parameters[at]),
  )
  const unsteady = compare ? asked.filter(({ file }) => !isComparable(file)) : []
  if (unsteady.length > 0)
    throw new Problem('bad_request', texts => texts.metricsNotComparable(codesIn(unsteady)))
  const reports = compare ? plain.map(one => withComparison(one, compare)) : plain
  const declared = files[0]?.parameters.filter(one => files.every(declares(one))) ?? []
  const query = canonicalQuery(period, queryOfValues(declared, parameters[0]), { compare })
  return {
    /** One for each file, all of one period. */
    reports,
    compared: compare ? reports.map(one => withPeriod(one, one.comparison!)) : [],
    period: reports[0]?.period ?? period,
    metrics: asked.map(({ metric }) => metric),
    /** Those of all files, as a member of the body. */
    parameters: parametersJson(declared, parameters[0]),
    location: `${PREFIX}/metrics?codes=${encodeURIComponent(codes.join(','))}&${query}`,
    hasIgnored,
  }
}

/** Names that a file declares, each once. */
function parametersOf(files: readonly MetricsDefinition[]): string[] {
  return [...new Set(files.flatMap(file => file.parameters.map(({ name }) => name)))]
}

/** why: with another type or default, a value of the request would be another value, or none */
function declares({ name, type, default: ownDefault }: Parameter) {
  return ({ parameters }: MetricsDefinition): boolean =>
    parameters.some(one => one.name === name && one.type === type && one.default === ownDefault)
}

/** @throws Problem for a parameter that not all of the metrics declare, by name */
function requireDeclared(
  values: QueryValues,
  names: readonly string[],
  asked: readonly AskedMetric[],
): void {
  for (const name of names.toSorted()) {
    if (values[name] === undefined) continue
    const [first] = asked.flatMap(({ file }) => file.parameters.filter(one => one.name === name))
    const others = asked.filter(({ file }) => first === undefined || !declares(first)(file))
    if (others.length === 0) continue
    const list = codesIn(others.slice(0, MAX_NAMED_CODES))
    throw new Problem('bad_request', texts => texts.notOfMetrics(name, list))
  }
}

function codesIn(asked: readonly AskedMetric[]): string {
  return asked.map(({ metric }) => metric.code).join(', ')
}

/** @param results of the reports, and then of the compared ones */
export function metricsResponse(
  request: Request,
  { reports, compared, period, parameters, metrics, location, hasIgnored }: AskedMetrics,
  results: ReadonlyArray<Cached<MetricValues>>,
): Promise<Response> {
  const body = metricsBody(
    metrics,
    reports[0]?.definition,
    parameters,
    { period, values: valuesOf(results.slice(0, reports.length)) },
    compared[0] && { period: compared[0].period, values: valuesOf(results.slice(reports.length)) },
  )
  // why: an ignored parameter may contain a key
  return combinedResponse(request, body, location, results, !hasIgnored)
}

/** The values of all files, which are of one period. */
function valuesOf(results: ReadonlyArray<{ readonly value: MetricValues }>) {
  return new Map(results.flatMap(({ value }) => [...value.values]))
}

/** Requested codes in order, without duplicates; all if none is requested. */
function parseCodes(parameter: string, all: readonly string[]): readonly string[] {
  const codes = new Set<string>()
  for (const entry of parameter.split(',')) {
    const code = entry.trim()
    if (code !== '') codes.add(code)
    if (codes.size > MAX_CODES) throw TOO_MANY_CODES
  }
  return codes.size === 0 ? all : [...codes]
}

function requireReadable(codes: readonly string[], { metrics, whole }: Reader['catalog']): void {
  const unknown = codes.filter(code => !whole.metrics.has(code))
  const hidden = codes.filter(code => !metrics.has(code))
  if (hidden.length === 0) return
  if (unknown.length === 0) throw notAllowed(hidden.slice(0, MAX_NAMED_CODES).join(', '))
  const list = unknown.slice(0, MAX_NAMED_CODES).map(printable).join(', ')
  const rest = unknown.length - MAX_NAMED_CODES
  throw new Problem('metric_not_found', texts => texts.noSuchMetrics(list, rest))
}

const TOO_MANY_CODES = new Problem('bad_request', texts => texts.tooManyCodes(MAX_CODES))

/** `/reports/:code/parameters`: what a report may be asked for beside the period, with the organization's values. */
import type { ChoiceQuery, Parameter, ReportDefinition } from '../../definitions/definition.ts'
import { valueJson } from '../../definitions/parameter-value.ts'
import { Problem, PROBLEMS } from '../../model/errors.ts'
import { PREFIX, type Period } from '../../model/terms.ts'
import type { Reader } from '../access/access-rows.ts'
import type { Cached } from '../cache/entry.ts'
import { jsonText } from '../formats/json/json-field.ts'
import type { ChoiceList } from '../report/load-choices.ts'
import { makeReportRequest, type ReportRequest } from '../report/report-request.ts'
import { combinedResponse } from './combined-reports.ts'
import { readParameters } from './negotiation.ts'
import { readableReport } from './report-route.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'

/** Lists of values depend on no period. */
const EVER: Period = { start: '1900-01-01', end: '3000-01-01' }

type AskedChoices = ReturnType<typeof readChoicesQuery>

/** @throws Problem */
export function readChoicesQuery(request: Request, organization: Reader, code: string) {
  const definition = readableReport(request, organization, code)
  const { hasIgnored } = readParameters(request.queryString, [])
  const queries = definition.parameters.flatMap(({ query }) => query ?? [])
  const reports = queries.map((query): ReportRequest<ChoiceQuery> =>
    makeReportRequest(organization, query, EVER, request.receivedAt),
  )
  return { definition, reports, hasIgnored }
}

/** What a list that cannot be read now is replaced by. @throws the Problem of all lists: to ask again is the remedy */
export function unavailable(error: unknown): undefined {
  if (error instanceof Problem && [429, 503].includes(PROBLEMS[error.code].status)) throw error
}

/** @param results of the reports; undefined for those that are not available */
export function choicesResponse(
  request: Request,
  { definition, hasIgnored }: AskedChoices,
  results: ReadonlyArray<Cached<ChoiceList> | undefined>,
): Promise<Response> {
  const body = choicesBody(
    definition,
    results.map(result => result?.value),
  )
  const location = `${PREFIX}/reports/${definition.code}/parameters`
  const available = results.filter(result => result !== undefined)
  const isLasting = !hasIgnored && available.length === results.length
  return combinedResponse(request, body, location, available, isLasting)
}

function choicesBody(
  { parameters }: ReportDefinition,
  lists: ReadonlyArray<ChoiceList | undefined>,
): Buffer {
  const left = [...lists]
  const described = parameters.map(parameter => {
    const values =
      parameter.query === undefined ? listed(parameter) : selected(parameter, left.shift())
    return `${parameterJson(parameter).slice(0, -1)},"values":${values}}`
  })
  return Buffer.from(`{"parameters":[${described.join(',\n')}]}\n`)
}

/** `{name, title, type, required, default, minimum, maximum}` */
function parameterJson({ name, title, type, required, ...stated }: Parameter): string {
  const ofValues = (['default', 'minimum', 'maximum'] as const).map(
    key => `"${key}":${valueJson(type, stated[key])}`,
  )
  return `${jsonText({ name, title, type, required }).slice(0, -1)},${ofValues.join(',')}}`
}

/** Only the value that the key may read, if it is fixed. */
function selected({ type, fixed }: Parameter, list: ChoiceList | undefined): string {
  if (list === undefined) return 'null,"unavailable":true'
  const { members } = list
  if (fixed === undefined) return `[${members.join(',')}]`
  const start = `{"value":${valueJson(type, fixed)},`
  return `[${members.find(one => one.startsWith(start)) ?? ''}]`
}

/** Null if any value of the type is accepted. */
function listed({ type, choices }: Parameter): string {
  if (choices === undefined) return 'null'
  const all = choices.map(
    ({ value, label }) => `{"value":${valueJson(type, value)},"label":${jsonText(label)}}`,
  )
  return `[${all.join(',')}]`
}

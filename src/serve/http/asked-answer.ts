/** What the cache has for a report in a format: kept, made of its JSON that is kept, or made by a run. */
import type { CacheAnswer } from '../cache/answers.ts'
import type { ReportCache } from '../cache/report-cache.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { Body, StreamedBody } from '../body/body.ts'
import { codedBody, encoded, LEAST_CODED_BYTES } from '../body/coded.ts'
import type { CodedBody } from '../body/coded.ts'
import type { Coding } from '../body/coding.ts'
import type { ReadReport } from '../body/read-report.ts'
import { cacheKey } from '../body/report-request.ts'
import type { ReportRequest } from '../body/report-request.ts'
import type { InSecondFormat } from '../body/second-format.ts'
import { chooseCoding } from './negotiation.ts'
import { cacheRequest } from './cache-request.ts'
import type { ApiContext } from './request-state.ts'

export interface AskedAnswer {
  readonly key: string
  readonly answer: CacheAnswer<CodedBody | StreamedBody>
  readonly coding: Coding
}

interface Means {
  readonly cache: ReportCache
  readonly readReport: ReadReport
  readonly inSecondFormat: InSecondFormat
}

/** @throws as `ReadReport` */
export async function askedAnswer(
  means: Means,
  ctx: ApiContext,
  request: ReportRequest<ReportDefinition>,
  format: Format,
): Promise<AskedAnswer> {
  // why: without chunks, only a length tells a client whether it has all
  const wholeOnly = ctx.req.httpVersionMinor === 0
  const coding = format.isText ? chooseCoding(ctx.headers['accept-encoding']) : 'identity'
  const { key, answer } = await inFormat(means, ctx, request, { format, wholeOnly })
  const { value } = answer
  if (value.kind === 'streamed') {
    const streamCoding = wholeOnly ? 'identity' : coding
    const coded = { ...answer, value: encoded(value, streamCoding) }
    return { key, answer: coded, coding: streamCoding }
  }
  const whole = { ...answer, value }
  if (coding === 'identity' || value.byteCount < LEAST_CODED_BYTES) {
    return {
      key,
      answer: { ...whole, value: { ...value, coding: 'identity' } },
      coding: 'identity',
    }
  }
  const codedKey = `${key} ${coding}`
  const { id: organizationId } = request.organization
  const coded = await means.cache.derive(
    { key, answer: whole },
    {
      key: codedKey,
      organizationId,
      make: (body, signal) => codedBody(body, coding, { organizationId, signal }),
      signal: ctx.state.signal,
    },
  )
  return { key: codedKey, answer: coded, coding: coded.value.coding }
}

async function inFormat(
  { cache, readReport, inSecondFormat }: Means,
  ctx: ApiContext,
  request: ReportRequest<ReportDefinition>,
  wanted: { readonly format: Format; readonly wholeOnly: boolean },
): Promise<{ readonly key: string; readonly answer: CacheAnswer<Body | StreamedBody> }> {
  const { format, wholeOnly } = wanted
  const asked = cacheRequest(ctx, request, format.name)
  const jsonKey = cacheKey(request, JSON_FORMAT.name)
  const isJson = format.name === JSON_FORMAT.name
  const answer = await cache.get<Body | StreamedBody>({
    ...asked,
    // why: who takes a stream must not wait for the whole, nor be told that it is too large
    ...(wholeOnly && { flightKey: `${asked.key} whole` }),
    load(signal, keepBeside) {
      const keep = (body: Body): void => keepBeside(jsonKey, body)
      const second = isJson ? undefined : { format: JSON_FORMAT, keep }
      return readReport(request, { ...wanted, second }, signal)
    },
    source: isJson
      ? undefined
      : {
          key: jsonKey,
          // why: what is kept under the key of the JSON is a whole body of it
          make: (json, signal) => inSecondFormat(request, json as Body, format, signal),
        },
  })
  return { key: asked.key, answer }
}

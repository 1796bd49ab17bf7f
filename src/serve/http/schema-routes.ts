/**
 * `/reports`, `/reports/:code/schema`, `/metrics/schema` and `/openapi.json`: bytes that are made once for what a key may
 * read; `/ping`.
 */
import { currencyIn } from '../../definitions/product.ts'
import { PREFIX } from '../../model/terms.ts'
import type { Reader } from '../access/access-rows.ts'
import type { ReadableCatalog } from '../access/readable-catalog.ts'
import { onceFor } from '../formats/format.ts'
import { openApi } from '../describe/openapi.ts'
import { metricsSchema, reportList, reportSchema } from '../describe/schema.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { readableReport } from './report-route.ts'
import { requireRead, type Request } from './request.ts'
import { API_HEAD, LINK_HEAD, type Response } from './response.ts'
import { createMemoryBody } from '../report/body.ts'
import { inCurrency } from '../report/report-request.ts'
import { representationFor } from './conditional-request.ts'
import { jsonText } from '../formats/json/json-field.ts'

const HEAD = [...API_HEAD, 'Cache-Control', 'private, no-cache']
const LINKED_HEAD = [...HEAD, ...LINK_HEAD]

const schemaOf = perCatalog(({ reports }, code) => reportSchema(reports.get(code)!, reports), HEAD)

/** Paths below the prefix that execute nothing. */
export const DESCRIPTIONS = {
  '/ping': ping,
  '/openapi.json': perCatalog(catalog => openApi(catalog, PREFIX), LINKED_HEAD),
  '/reports': perCatalog(reportList, LINKED_HEAD),
  '/reports/:code/schema': (request: Request, organization: Reader, code: string) => {
    readableReport(request, organization, code)
    return schemaOf(request, organization, code)
  },
  '/metrics/schema': perCatalog(metricsSchema, HEAD),
}

function perCatalog(
  describe: (catalog: ReadableCatalog, code: string) => object,
  head: readonly string[],
) {
  const route = onceFor((catalog: ReadableCatalog, code) =>
    createBytes(`${jsonText(describe(catalog, code))}\n`, JSON_FORMAT.contentType, head),
  )
  return (request: Request, { catalog, currency }: Reader, code: string): Promise<Response> =>
    route(currency === undefined ? catalog : catalogIn(catalog, currency), code)(request)
}

/** What keys of organizations with a currency may read. */
const catalogIn = onceFor((catalog: Reader['catalog'], code): Reader['catalog'] => {
  const reports = Array.from(catalog.reports.values(), one => inCurrency(one, code))
  const metrics = Array.from(catalog.metrics.values(), ({ metric, file }) => {
    return { metric, file: inCurrency(file, code) }
  })
  return {
    ...catalog,
    reports: new Map(reports.map(one => [one.code, one])),
    metrics: new Map(metrics.map(one => [one.metric.code, one])),
  }
})

async function ping(request: Request, organization: Reader): Promise<Response> {
  requireRead(request)
  const { id: organizationId, name: organizationName, timeZone } = organization
  const { product } = request
  const { code, digits } = currencyIn(product, organization.currency ?? product.currency.code)!
  const whose = { organizationId, organizationName, timeZone, currency: code, digits }
  const text = jsonText({ ok: true, ...whose, version: 'v1' })
  return {
    contentType: JSON_FORMAT.contentType,
    head: [...API_HEAD, ...LINK_HEAD, 'Cache-Control', 'no-store'],
    body: Buffer.from(`${text}\n`),
  }
}

/** @param head alternating names and values @returns a function that chooses the content coding for a request */
export function createBytes(
  text: string,
  contentType: string,
  head: readonly string[],
): (request: Request) => Promise<Response> {
  const body = createMemoryBody(Buffer.from(text))
  return async request => {
    requireRead(request)
    const { bytes, etag, coding } = await representationFor(request, body)
    const encoding = coding === 'identity' ? [] : ['Content-Encoding', coding]
    return { contentType, head: [...head, ...encoding, 'ETag', etag], etag, body: bytes }
  }
}

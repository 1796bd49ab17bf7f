/**
 * `/reports`, `/reports/:code/schema`, `/metrics/schema` and `/openapi.json`: bytes that are made once for each catalog;
 * `/ping`.
 */
import type { Catalog } from '../../definitions/definition.ts'
import { PREFIX, type Organization } from '../../model/terms.ts'
import { onceFor } from '../formats/format.ts'
import { openApi } from '../describe/openapi.ts'
import { metricsSchema, reportList, reportSchema } from '../describe/schema.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { noReport } from './report-route.ts'
import { requireRead, type Request } from './request.ts'
import { API_HEAD, LINK_HEAD, type Response } from './response.ts'
import { createMemoryBody, representationOf } from '../report/body.ts'
import { etagMatches } from './conditional-request.ts'
import { chooseCoding } from './negotiation.ts'
import { jsonText } from '../formats/json/json-field.ts'

const HEAD = [...API_HEAD, 'Cache-Control', 'private, no-cache']
const LINKED_HEAD = [...HEAD, ...LINK_HEAD]

/** Paths below the prefix that execute nothing. */
export const DESCRIPTIONS = {
  '/ping': ping,
  '/openapi.json': perCatalog(catalog => openApi(catalog, PREFIX), LINKED_HEAD),
  '/reports': perCatalog(reportList, LINKED_HEAD),
  '/reports/:code/schema': perCatalog(({ reports }, code) => {
    const definition = reports.get(code)
    if (definition === undefined) throw noReport(code)
    return reportSchema(definition)
  }, HEAD),
  '/metrics/schema': perCatalog(metricsSchema, HEAD),
}

/** @param describe throws a Problem if there is no such code */
function perCatalog(describe: (catalog: Catalog, code: string) => object, head: readonly string[]) {
  const route = onceFor((catalog: Catalog, code) =>
    createBytes(`${jsonText(describe(catalog, code))}\n`, JSON_FORMAT.contentType, head),
  )
  return (request: Request, _: Organization, code: string): Promise<Response> =>
    route(request.catalog, code)(request)
}

async function ping(request: Request, organization: Organization): Promise<Response> {
  requireRead(request)
  const { id: organizationId, name: organizationName, timeZone } = organization
  const { code: currency, digits } = request.catalog.product.currency
  const whose = { organizationId, organizationName, timeZone, currency, digits }
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
    const { acceptEncoding, ifNoneMatch = '' } = request.headers
    const accepted = chooseCoding(acceptEncoding)
    const isCached = (etag: string): boolean => etagMatches(ifNoneMatch, etag)
    const { bytes, etag, coding } = await representationOf(body, accepted, isCached)
    const encoding = coding === 'identity' ? [] : ['Content-Encoding', coding]
    return { contentType, head: [...head, ...encoding, 'ETag', etag], etag, body: bytes }
  }
}

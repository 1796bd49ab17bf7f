/** `/reports`, `/reports/:code/schema`, `/metrics/schema` and `/openapi.json`: bytes that are made once for each catalog. */
import type { Catalog } from '../../definitions/definition.ts'
import type { Bytes } from '../../model/terms.ts'
import { compressedEtag, compressWhole } from '../body/content-coding.ts'
import type { Coding } from '../body/content-coding.ts'
import { etagOf } from '../body/etag.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { createOpenApi } from '../openapi/openapi.ts'
import { metricsSchema, reportSchema } from '../openapi/schema.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext, ApiMiddleware } from './active-requests.ts'
import { checkParameters } from './check-parameters.ts'
import { chooseCoding } from './negotiation.ts'
import { PREFIX } from './paths.ts'
import { definitionOf } from './report-routes.ts'
import { sendBytes } from './send-response.ts'

export function listReports(): ApiMiddleware {
  return perCatalog(({ reports }) => ({
    reports: Array.from(reports.values(), ({ code, title, group, key, description = null }) => ({
      code,
      title,
      group,
      key,
      description,
    })),
  }))
}

export function describeReport(): ApiMiddleware {
  return perCatalog(
    (_, ctx) => reportSchema(definitionOf(ctx)),
    ctx => definitionOf(ctx).code,
  )
}

export function describeMetrics(): ApiMiddleware {
  return perCatalog(metricsSchema)
}

export function describeApi(): ApiMiddleware {
  return perCatalog(catalog => createOpenApi(catalog, PREFIX))
}

/** @see https://www.rfc-editor.org/rfc/rfc8631 */
export const linkToApi: ApiMiddleware = async (ctx, next) => {
  await next()
  ctx.set('Link', `<${PREFIX}/openapi.json>; rel="service-desc"`)
}

/** The bytes of each content coding that was requested. */
type Codings = Map<Coding, { readonly bytes: Buffer; readonly etag: string }>

/** @param nameOf what the body depends on besides the catalog */
function perCatalog(
  describe: (catalog: Catalog, ctx: ApiContext) => object,
  nameOf: (ctx: ApiContext) => string = () => '',
): ApiMiddleware {
  const bodies = new WeakMap<Catalog, Map<string, Codings>>()
  return async ctx => {
    checkParameters(ctx.query, [])
    const { catalog } = ctx.state
    const ofCatalog = bodies.get(catalog) ?? new Map<string, Codings>()
    bodies.set(catalog, ofCatalog)
    const name = nameOf(ctx)
    const codings = ofCatalog.get(name) ?? codingsOf(describe(catalog, ctx))
    ofCatalog.set(name, codings)
    const plain = codings.get('identity')!
    const coding =
      plain.bytes.length < MIN_COMPRESSED
        ? 'identity'
        : chooseCoding(ctx.headers['accept-encoding'])
    const { id } = organizationOf(ctx)
    const sent = codings.get(coding) ?? {
      bytes: await compressWhole(plain.bytes, coding, id, ctx.state.signal),
      etag: compressedEtag(plain.etag, coding),
    }
    codings.set(coding, sent)
    sendBytes(ctx, { contentType: JSON_FORMAT.contentType, coding }, sent)
  }
}

/** Smaller bodies fit into one packet. */
const MIN_COMPRESSED: Bytes = 1400

function codingsOf(body: object): Codings {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`)
  return new Map([['identity', { bytes, etag: etagOf(bytes) }]])
}

/** `/reports`, `/reports/:code/schema`, `/metrics/schema` and `/openapi.json`: bytes that are made once for each catalog. */
import type { Catalog } from '../../definitions/definition.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { jsonText } from '../formats/json/json-text.ts'
import { createOpenApi } from '../describe/openapi.ts'
import { metricsSchema, reportList, reportSchema } from '../describe/schema.ts'
import type { ApiContext, ApiMiddleware } from './active-requests.ts'
import { createMemoryBody } from '../report/body.ts'
import type { MemoryBody } from '../report/body.ts'
import { sendCompressed } from './compressed-bytes.ts'
import { PREFIX } from '../../model/api-prefix.ts'
import { definitionOf } from './report-routes.ts'

export function listReports(): ApiMiddleware {
  return perCatalog(reportList)
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

/** @param nameOf what the body depends on besides the catalog */
function perCatalog(
  describe: (catalog: Catalog, ctx: ApiContext) => object,
  nameOf: (ctx: ApiContext) => string = () => '',
): ApiMiddleware {
  const bodies = new WeakMap<Catalog, Map<string, MemoryBody>>()
  return async ctx => {
    const { catalog } = ctx.state
    const ofCatalog = bodies.get(catalog) ?? new Map<string, MemoryBody>()
    bodies.set(catalog, ofCatalog)
    const name = nameOf(ctx)
    const body =
      ofCatalog.get(name) ?? createMemoryBody(Buffer.from(`${jsonText(describe(catalog, ctx))}\n`))
    ofCatalog.set(name, body)
    await sendCompressed(ctx, body, { contentType: JSON_FORMAT.contentType })
  }
}

/** `/reports`, `/reports/:code/schema` and `/metrics/schema`: bytes that are made once for each catalog. */
import type { Catalog } from '../../definitions/definition.ts'
import { etagOf } from '../body/etag.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { metricsSchema, reportSchema } from '../openapi/schema.ts'
import type { ApiContext, ApiMiddleware } from './active-requests.ts'
import { checkParameters } from './check-parameters.ts'
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

interface Described {
  readonly bytes: Buffer
  readonly etag: string
}

/** @param nameOf what the body depends on besides the catalog */
function perCatalog(
  describe: (catalog: Catalog, ctx: ApiContext) => object,
  nameOf: (ctx: ApiContext) => string = () => '',
): ApiMiddleware {
  const bodies = new WeakMap<Catalog, Map<string, Described>>()
  return ctx => {
    checkParameters(ctx.query, [])
    const { catalog } = ctx.state
    const known = bodies.get(catalog) ?? new Map<string, Described>()
    bodies.set(catalog, known)
    const name = nameOf(ctx)
    const { bytes, etag } = known.get(name) ?? describedBy(describe(catalog, ctx))
    known.set(name, { bytes, etag })
    sendBytes(ctx, JSON_FORMAT.contentType, bytes, etag)
  }
}

function describedBy(body: object): Described {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`)
  return { bytes, etag: etagOf(bytes) }
}

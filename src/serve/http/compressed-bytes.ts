/** Sends bytes that do not depend on data, with an ETag, or 304. */
import { representationOf } from '../report/body.ts'
import type { MemoryBody } from '../report/body.ts'
import type { ApiContext } from './active-requests.ts'
import { etagMatches } from './conditional-request.ts'
import { chooseCoding } from './negotiation.ts'

export async function sendCompressed(
  ctx: ApiContext,
  body: MemoryBody,
  {
    contentType,
    cacheControl = 'private, no-cache',
  }: { readonly contentType: string; readonly cacheControl?: string },
): Promise<void> {
  const accepted = chooseCoding(ctx.headers['accept-encoding'])
  const isCached = (etag: string): boolean => etagMatches(ctx.get('If-None-Match'), etag)
  const { bytes, etag, coding } = await representationOf(body, accepted, isCached)
  ctx.set('Cache-Control', cacheControl)
  if (coding !== 'identity') ctx.set('Content-Encoding', coding)
  ctx.set('ETag', etag)
  if (isCached(etag)) {
    ctx.status = 304
    return
  }
  ctx.status = 200
  ctx.body = bytes
  ctx.type = contentType
}

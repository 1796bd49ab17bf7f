/** Responses with bytes that do not depend on data, with an ETag. */
import { createMemoryBody, representationOf } from '../report/body.ts'
import { etagMatches } from './conditional-request.ts'
import { chooseCoding } from './negotiation.ts'
import { requireRead } from './request.ts'
import type { Exchange } from './request.ts'
import type { Response } from './response.ts'

/** @param head alternating names and values @returns a function that chooses the content coding for a request */
export function createBytes(
  text: string,
  contentType: string,
  head: readonly string[],
): (exchange: Exchange) => Promise<Response> {
  const body = createMemoryBody(Buffer.from(text))
  return async ({ request }) => {
    requireRead(request)
    const { acceptEncoding, ifNoneMatch = '' } = request.headers
    const accepted = chooseCoding(acceptEncoding)
    const isCached = (etag: string): boolean => etagMatches(ifNoneMatch, etag)
    const { bytes, etag, coding } = await representationOf(body, accepted, isCached)
    const encoding = coding === 'identity' ? [] : ['Content-Encoding', coding]
    return { contentType, head: [...head, ...encoding, 'ETag', etag], etag, body: bytes }
  }
}

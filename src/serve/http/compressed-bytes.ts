/** Sends bytes that do not depend on data, compressed once for each content coding. */
import type { Bytes } from '../../model/terms.ts'
import { compressedEtag, compressWhole } from '../body/content-coding.ts'
import type { Coding } from '../body/content-coding.ts'
import { etagOf } from '../body/etag.ts'
import type { ApiContext } from './active-requests.ts'
import { chooseCoding } from './negotiation.ts'
import { sendBytes } from './send-response.ts'

/** The bytes of each content coding that was requested. */
export type Codings = Map<Coding, { readonly bytes: Buffer; readonly etag: string }>

/** Smaller bodies fit into one packet. */
const MIN_COMPRESSED: Bytes = 1400

export function codingsOf(body: string): Codings {
  const bytes = Buffer.from(body)
  return new Map([['identity', { bytes, etag: etagOf(bytes) }]])
}

/** Sends the bytes with an ETag, or 304. */
export async function sendCompressed(
  ctx: ApiContext,
  codings: Codings,
  head: { readonly contentType: string; readonly cacheControl?: string },
): Promise<void> {
  const plain = codings.get('identity')!
  const coding =
    plain.bytes.length < MIN_COMPRESSED ? 'identity' : chooseCoding(ctx.headers['accept-encoding'])
  const { organization, signal } = ctx.state
  const sent = codings.get(coding) ?? {
    bytes: await compressWhole(plain.bytes, coding, organization?.id ?? '', signal),
    etag: compressedEtag(plain.etag, coding),
  }
  codings.set(coding, sent)
  sendBytes(ctx, { ...head, coding }, sent)
}

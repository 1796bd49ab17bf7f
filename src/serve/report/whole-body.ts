/** The bytes of a whole response, and their gzip, made on first demand. */
import type { Bytes } from '../../model/terms.ts'
import { etagOf } from './etag.ts'
import { gzipEtag, gzipWhole } from './gzip.ts'
import type { Coding } from './gzip.ts'

/** One content coding of a body. */
export interface Representation {
  readonly bytes: Buffer
  /** Strong, with its quotes. */
  readonly etag: string
  readonly coding: Coding
}

export interface WholeBody {
  readonly identity: Representation
  /** Undefined until a client accepts it; `identity` if that is too small to compress. */
  gzip: Representation | undefined
  /** Concurrent requests share it. */
  compression: Promise<Representation> | undefined
}

/** Smaller bodies are not compressed: with the head they fit into about one packet. */
const MIN_COMPRESSED_BYTES: Bytes = 1400

export function createWholeBody(bytes: Buffer): WholeBody {
  const identity = { bytes, etag: etagOf(bytes), coding: 'identity' } as const
  const isSmall = bytes.length < MIN_COMPRESSED_BYTES
  return { identity, gzip: isSmall ? identity : undefined, compression: undefined }
}

/**
 * @param isCached whether the client has the representation with this ETag: it gets 304, and no gzip is made
 * @param reserve false if the body has no room for this many more bytes: the gzip is sent once, and not cached
 */
export async function representationOf(
  body: WholeBody,
  coding: Coding,
  organizationId: string,
  isCached: (etag: string) => boolean,
  reserve: (byteCount: Bytes) => boolean = () => true,
): Promise<Representation> {
  if (coding === 'identity') return body.identity
  if (body.gzip !== undefined) return body.gzip
  const etag = gzipEtag(body.identity.etag)
  if (isCached(etag)) return { bytes: Buffer.alloc(0), etag, coding }
  body.compression ??= compress(body.identity, organizationId)
    .then(gzip => {
      if (reserve(gzip.bytes.length)) body.gzip = gzip
      return gzip
    })
    .finally(() => (body.compression = undefined))
  return body.compression
}

async function compress(
  { bytes, etag }: Representation,
  organizationId: string,
): Promise<Representation> {
  return { bytes: await gzipWhole(bytes, organizationId), etag: gzipEtag(etag), coding: 'gzip' }
}

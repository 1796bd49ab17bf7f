/** Bodies in a content coding: kept ones coded once, streamed ones on their way. Knows no levels. */
import { createHash } from 'node:crypto'
import { pipeline, Writable } from 'node:stream'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { makeBody } from './body.ts'
import type { Body, StreamedBody } from './body.ts'
import { compress, createEncoder } from './coding.ts'
import type { Coding, ForWhom } from './coding.ts'

/** A body and what its bytes are coded in. */
export interface CodedBody extends Body {
  readonly coding: Coding
}

/** Below this a body and its head are about one packet, coded or not. */
export const LEAST_CODED_BYTES: Bytes = 1400

/** Coded bytes that are hardly fewer would only be kept twice. */
const WORTH = 0.9

/**
 * The body in that coding, with an ETag of its own; as it is (`identity`) where coding is not worth it.
 * @throws the signal's reason
 */
export async function codedBody(body: Body, coding: Coding, whom: ForWhom): Promise<CodedBody> {
  if (coding === 'identity' || body.byteCount < LEAST_CODED_BYTES) return asItIs(body)
  const bytes = await compress(body.bytes, coding, whom)
  if (bytes.length > body.byteCount * WORTH) return asItIs(body)
  const { etag, rowCount, dataAsOf } = body
  return { ...makeBody(bytes, codedEtag(etag, coding), rowCount, dataAsOf), coding }
}

function asItIs(body: Body): CodedBody {
  return { ...body, coding: 'identity' }
}

/** Another Node, or one that was built with other libraries, may code the same bytes otherwise, and a download must not go on with those. */
const MADE_BY = createHash('sha256')
  .update(JSON.stringify([process.versions, process.arch, process.config.variables]))
  .digest('hex')
  .slice(0, 6)

/** Strong: known before anything is coded, as the same bytes are always coded alike. @param etag of the bytes as they are */
export function codedEtag(etag: string, coding: Coding): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}-${MADE_BY}"`
}

/**
 * So long does an encoder hold back what a source has sent that sends no more.
 * why: to flush each chunk costs a tenth more, and a source that is quick needs none
 */
const HOLD_MS: Milliseconds = 200

/**
 * The body in that coding, as it comes. Chunks of the source are given back once the encoder has read
 * them. A source that breaks off destroys the stream with its error, and the stream's end mark is never
 * written; a reader that leaves ends the source.
 */
export function encoded(body: StreamedBody, coding: Coding): StreamedBody {
  if (coding === 'identity') return body
  const { encoder, flush } = createEncoder(coding)
  let isReading = false
  const hold = setTimeout(() => {
    if (!isReading && !encoder.destroyed && !encoder.writableEnded) flush()
  }, HOLD_MS)

  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      isReading = true
      // why: zlib reads the chunk in another thread, and calls back once it has read all of it; one that
      // is destroyed meanwhile may still be reading
      encoder.write(chunk, error => {
        isReading = false
        hold.refresh()
        if (!error && !encoder.destroyed) body.sent(chunk)
        done(error)
      })
    },
    final(done) {
      clearTimeout(hold)
      encoder.end()
      done()
    },
  })
  // why: where the client is behind, it is full
  body.whileAtWork(() => encoder.readableLength < encoder.readableHighWaterMark)
  pipeline(body.stream, sink, error => {
    if (error) encoder.destroy(error)
  })
  // why: it may fail before anybody reads it, and an error that nobody hears ends the process
  encoder.on('error', () => {})
  encoder.once('close', () => {
    clearTimeout(hold)
    if (!encoder.writableFinished) body.discard()
  })

  const { rowCount, dataAsOf } = body
  return {
    kind: 'streamed',
    stream: encoder,
    rowCount,
    contentLength: undefined,
    dataAsOf,
    whileAtWork: () => {},
    sent: () => {},
    discard: () => void encoder.destroy(),
  }
}

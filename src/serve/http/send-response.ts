/** Sends a body: headers, 304, HEAD and ranges, with backpressure. */
import { printable, Problem } from '../../model/errors.ts'
import { readParts } from '../report/body.ts'
import type { FileBody } from '../report/body.ts'
import { gzipChunks, gzipEtag } from '../report/gzip.ts'
import type { Bytes, Clock, Milliseconds } from '../../model/terms.ts'
import { tooMuchBuffered } from '../report/outgoing-bodies.ts'
import type { OutgoingBodies } from '../report/outgoing-bodies.ts'
import { representationHead, cacheHead, serverTiming, setAll } from './response-head.ts'
import type { ResponseHead } from './response-head.ts'
import { etagMatches, readRange } from './conditional-request.ts'
import type { ByteRange } from './conditional-request.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext } from './active-requests.ts'

/** Options for all responses. */
export interface SendOptions {
  readonly outgoing: OutgoingBodies
  readonly stallTimeoutMs: Milliseconds
  readonly now: Clock
}

/** @throws Problem `range_not_satisfiable`, `overloaded` */
export async function sendMemory(
  ctx: ApiContext,
  head: ResponseHead,
  { bytes, etag }: { readonly bytes: Buffer; readonly etag: string },
  options: SendOptions,
): Promise<void> {
  const { outgoing } = options
  ctx.state.cache = head.metadata.outcome
  // why: 'close' has been emitted already, so the bytes would be counted forever
  if (ctx.res.closed) return
  const isNotModified = etagMatches(ctx.get('If-None-Match'), etag)
  const part = isNotModified ? undefined : partOf(ctx, bytes, etag)
  const hasBody = !isNotModified && ctx.method !== 'HEAD'
  const { id } = organizationOf(ctx)
  if (hasBody && !outgoing.fits(id, bytes)) throw tooMuchBuffered()
  setHead(ctx, head, etag)
  if (isNotModified) {
    ctx.status = 304
    return
  }
  const sent = part === undefined ? bytes : bytes.subarray(part.start, part.end)
  ctx.status = part === undefined ? 200 : 206
  if (part) ctx.set('Content-Range', `bytes ${part.start}-${part.end - 1}/${bytes.length}`)
  if (hasBody) ctx.res.once('close', outgoing.begin(id, bytes))
  if (hasBody && sent.length > PART_BYTES) {
    ctx.type = head.contentType
    return sendChunks(ctx, inParts(sent), sent.length, options)
  }
  ctx.body = sent
  ctx.type = head.contentType
}

/**
 * Sends a file: whole or a range of it, or all of it compressed on the way, which has no length.
 * @throws Problem `range_not_satisfiable`, `overloaded`
 */
export async function sendFile(
  ctx: ApiContext,
  head: ResponseHead,
  file: FileBody,
  options: SendOptions,
): Promise<void> {
  ctx.state.cache = head.metadata.outcome
  if (ctx.res.closed) return
  // why: HTTP/1.0 has no chunks, so only the length shows whether a response is complete
  const needsLength = ctx.req.httpVersionMinor === 0 || ctx.get('Range') !== ''
  const coding = needsLength ? 'identity' : head.coding
  const etag = coding === 'gzip' ? gzipEtag(file.etag, 'chunks') : file.etag
  const isNotModified = etagMatches(ctx.get('If-None-Match'), etag)
  const part = isNotModified ? undefined : partOf(ctx, file, etag)
  const { start, end } = part ?? { start: 0, end: file.length }
  const reader = isNotModified || ctx.method === 'HEAD' ? undefined : file.open()
  setHead(ctx, { ...head, coding }, etag)
  if (isNotModified) {
    ctx.status = 304
    return
  }
  ctx.status = part === undefined ? 200 : 206
  ctx.type = head.contentType
  if (part) ctx.set('Content-Range', `bytes ${start}-${end - 1}/${file.length}`)
  if (coding === 'gzip') ctx.remove('Accept-Ranges')
  try {
    const parts = reader && readParts(reader, start, end)
    const isGzip = coding === 'gzip'
    const chunks = isGzip && parts ? gzipChunks(parts) : parts
    await sendChunks(ctx, chunks, isGzip ? undefined : end - start, options)
  } finally {
    reader?.close()
  }
}

/** @throws Problem `range_not_satisfiable` */
function partOf(
  ctx: ApiContext,
  { length }: Pick<Buffer, 'length'>,
  etag: string,
): ByteRange | undefined {
  const range = ctx.method === 'GET' ? ctx.get('Range') : ''
  if (range === '') return undefined
  const part = readRange(range, ctx.get('If-Range'), etag, length)
  if (part !== 'none') return part
  ctx.set('Content-Range', `bytes */${length}`)
  throw new Problem('range_not_satisfiable', {
    ru: `В ответе ${length} байт, а в Range запрошено: ${printable(range)}. Возьмите ответ целиком.`,
    en: `The response has ${length} bytes, Range requests ${printable(range)}. Request the whole response.`,
  })
}

function setHead(ctx: ApiContext, head: ResponseHead, etag: string): void {
  setAll(ctx.res, representationHead(head, etag))
  setAll(ctx.res, cacheHead(head.metadata))
  ctx.state.ageSeconds = head.metadata.ageSeconds
}

/** Whole bodies are sent in parts: a client that does not read one part within `stallTimeoutMs` is disconnected. */
export const PART_BYTES: Bytes = 256 * 1024

/**
 * Sends chunks with backpressure. A failure after the first byte resets the connection, so that no client takes
 * a partial body for a complete one. A client that does not read a chunk in time is disconnected.
 */
async function sendChunks(
  ctx: ApiContext,
  /** Undefined for HEAD. */
  chunks: AsyncIterable<Buffer> | undefined,
  contentLength: Bytes | undefined,
  { stallTimeoutMs, now }: SendOptions,
): Promise<void> {
  const { res, state } = ctx
  if (contentLength !== undefined) ctx.length = contentLength
  if (state.timings.length > 0) ctx.set('Server-Timing', serverTiming(state.timings))
  ctx.respond = false
  if (chunks === undefined) {
    res.end()
    return
  }
  state.streamedBytes = 0
  try {
    for await (const chunk of chunks) {
      if (res.destroyed) return
      state.streamedBytes += chunk.length
      state.firstByteAt ??= now()
      await written(done => res.write(chunk, done))
    }
    await written(done => res.end(done))
  } catch (error) {
    if (error instanceof Problem) state.problem = error.code
    state.cause = error instanceof Problem ? error.cause : error
    res.destroy()
  }

  /** Resolves when the kernel has accepted the bytes. @throws Error if the client disconnects or does not read. */
  function written(write: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error | null): void => {
        clearTimeout(stall)
        res.off('close', onClose)
        if (error) reject(error)
        else resolve()
      }
      const onClose = (): void => settle(new Error('the client disconnected'))
      // why: a socket's timeout restarts with every byte that the client reads
      const stall = setTimeout(() => res.destroy(), stallTimeoutMs)
      res.once('close', onClose)
      write(settle)
    })
  }
}

async function* inParts(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}

/** Sends a response of the API: 304, HEAD and ranges, from memory or from a file. */
import type { ServerResponse } from 'node:http'
import { printable, Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'
import { gzipChunks } from '../report/gzip.ts'
import { tooMuchBuffered } from '../report/outgoing-bodies.ts'
import { etagMatches, readRange } from './conditional-request.ts'
import { sendProblem } from './problem.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'
import { cacheStatus } from './response-head.ts'
import type { Sender } from './sender.ts'

export function sendResponse(sender: Sender, request: Request, response: Response): void {
  const { headers, method } = request
  const { etag, body, metadata, coding } = response
  const { fact } = request
  fact.format = response.format
  fact.cache = metadata?.outcome
  fact.ageSeconds = metadata?.ageSeconds
  // why: the client may have disconnected meanwhile
  if (request.isOver) return
  const head = response.head.slice()
  if (metadata !== undefined) {
    head.push('Age', String(metadata.ageSeconds), 'Cache-Status', cacheStatus(metadata))
  }
  const { ifNoneMatch } = headers
  if (etag !== undefined && ifNoneMatch !== undefined && etagMatches(ifNoneMatch, etag)) {
    return sender.sendBytes(request, 304, head)
  }
  const { length } = body
  const range = method === 'GET' && metadata !== undefined ? headers.range : undefined
  const part = range && readRange(range, headers.ifRange ?? '', etag!, length)
  if (part === 'none') {
    const unsatisfied = ['Content-Range', `bytes */${length}`]
    return sendProblem(sender, request, notSatisfiable(range!, length), unsatisfied)
  }
  const { start, end } = part || { start: 0, end: length }
  const status = part ? 206 : 200
  head.push('Content-Type', response.contentType)
  if (part) head.push('Content-Range', `bytes ${start}-${end - 1}/${length}`)
  if (!Buffer.isBuffer(body)) {
    if (coding !== 'gzip') head.push('Content-Length', String(end - start))
    if (method === 'HEAD') return sender.sendBytes(request, status, head)
    sender.beginParts(request, status, head)
    const parts = body.parts(start, end)
    return void sendParts(sender, request, coding === 'gzip' ? gzipChunks(parts) : parts)
  }
  if (method !== 'HEAD' && !sender.fits(request, body)) {
    return sendProblem(sender, request, tooMuchBuffered())
  }
  sender.sendBytes(request, status, head, part ? body.subarray(start, end) : body, body)
}

function notSatisfiable(range: string, length: Bytes): Problem {
  return new Problem('range_not_satisfiable', {
    ru: `В ответе ${length} байт, а в Range запрошено: ${printable(range)}. Возьмите ответ целиком.`,
    en: `The response has ${length} bytes, Range requests ${printable(range)}. Request the whole response.`,
  })
}

/** A failure after the first byte resets the connection, so that no client takes a partial body for a complete one. */
async function sendParts(
  sender: Sender,
  request: Request,
  parts: AsyncIterable<Buffer>,
): Promise<void> {
  const { response } = request
  try {
    for await (const part of parts) {
      request.fact.sentBytes += part.length
      await written(response, part)
    }
    response.end()
  } catch (error) {
    if (!response.destroyed) sendProblem(sender, request, error)
  }
}

/** Resolves when the kernel has accepted the bytes. @throws Error if the client disconnects */
function written(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the client disconnected'))
    response.once('close', onClose)
    response.write(bytes, error => {
      response.off('close', onClose)
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Delivers a streamed body to one client: compresses it, and buffers it if the client is slow. */
import { gzipChunks } from './gzip.ts'
import type { Coding } from './gzip.ts'
import { readAhead } from './read-ahead.ts'
import { ReaderFullError } from '../database/statement-request.ts'
import type { SpillFiles } from './spill-file.ts'
import type { StreamedBody } from './streamed-body.ts'
import { tooMuchBuffered } from './buffered-bytes.ts'

/** @returns chunks that can be read once; returning early cancels the execution. */
export type Deliver = (body: StreamedBody, coding: Coding) => AsyncIterable<Buffer>

/** @param spillFiles if undefined, an execution waits for its client */
export function createDeliver(spillFiles: SpillFiles | undefined): Deliver {
  return (body, coding) => {
    const chunks = coding === 'gzip' ? gzipChunks(body.chunks) : body.chunks
    // why: the execution of a body in a spill file has ended
    if (spillFiles === undefined || body.contentLength !== undefined) return chunks
    return readAhead(chunks, {
      spillFiles,
      organizationId: body.organizationId,
      cancel: error =>
        body.cancel(error instanceof ReaderFullError ? tooMuchBuffered(error) : error),
    })
  }
}

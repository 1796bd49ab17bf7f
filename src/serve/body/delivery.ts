/** Delivers a streamed body to one client: compresses it, and buffers it if the client is slow. */
import { compress } from './content-coding.ts'
import type { Coding } from './content-coding.ts'
import { readAhead } from './read-ahead.ts'
import { ReaderFullError } from '../replica/statement-request.ts'
import type { SpillFiles } from './spill-file.ts'
import type { StreamedBody } from './streamed-body.ts'
import { tooMuchBuffered } from './buffered-bytes.ts'

/** @returns chunks that can be read once; returning early cancels the execution. */
export type Deliver = (body: StreamedBody, coding: Coding) => AsyncIterable<Buffer>

/** @param spillFiles if undefined, an execution waits for its client */
export function createDeliver(spillFiles: SpillFiles | undefined): Deliver {
  return (body, coding) => {
    const compressed = compress(body.chunks, coding)
    // why: the execution of a body in a spill file has ended
    if (spillFiles === undefined || body.contentLength !== undefined) return compressed
    return readAhead(compressed, {
      spillFiles,
      organizationId: body.organizationId,
      cancel: error =>
        body.cancel(error instanceof ReaderFullError ? tooMuchBuffered(error) : error),
    })
  }
}

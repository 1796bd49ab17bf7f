/** A streamed body on its way to one client: compressed, and read ahead of a slow one. */
import { compress } from './content-coding.ts'
import type { Coding } from './content-coding.ts'
import { readAhead } from './read-ahead.ts'
import { ReaderFullError } from '../replica/statement-request.ts'
import type { SpillFiles } from './spill-file.ts'
import type { StreamedBody } from './streamed-body.ts'
import { tooMuchUnread } from './unread.ts'

/** @returns chunks to be read once; whoever stops reading ends the execution. */
export type Deliver = (body: StreamedBody, coding: Coding) => AsyncIterable<Buffer>

/** @param spillFiles undefined: an execution waits for its reader */
export function createDeliver(spillFiles: SpillFiles | undefined): Deliver {
  return (body, coding) => {
    const compressed = compress(body.chunks, coding)
    // why: what is in a file already has no execution that waits
    if (spillFiles === undefined || body.contentLength !== undefined) return compressed
    return readAhead(compressed, {
      spillFiles,
      organizationId: body.organizationId,
      cancel: error => body.cancel(error instanceof ReaderFullError ? tooMuchUnread(error) : error),
    })
  }
}

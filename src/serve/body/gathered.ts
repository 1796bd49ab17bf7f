/** The bytes of an answer in one format, together as long as they are few enough to be kept. Knows no rows. */
import { createOutput, giveBack, takeAll, takeChunk } from '../formats/output.ts'
import type { Output } from '../formats/output.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import { createEtag, etagOf, makeBody } from './body.ts'
import type { Body, Etag } from './body.ts'

export interface Gathered {
  /** What is written next. */
  readonly output: Output
  /** Takes what has been written; answers how much that is in all. */
  gather(): Bytes
  /** Of all that has been written. */
  byteCount(): Bytes
  /** The chunks so far are the caller's. */
  release(): Buffer[]
  /** All that was written, and nothing is written any more. */
  whole(rowCount: number, dataAsOf: Instant | undefined): Body
}

export function createGathered(isText: boolean): Gathered {
  const output = createOutput(isText)
  let chunks: Buffer[] = []
  let byteCount = 0
  let etag: Etag | undefined

  function gather(): Bytes {
    const chunk = takeChunk(output)
    chunks.push(chunk)
    byteCount += chunk.length
    // why: here, while the replica makes the next rows, and not when it has made the last
    etag ??= createEtag()
    etag.update(chunk)
    return byteCount
  }

  function release(): Buffer[] {
    const released = chunks
    chunks = []
    return released
  }

  return {
    output,
    gather,
    byteCount: () => byteCount + output.length,
    release,
    whole(rowCount, dataAsOf) {
      if (etag === undefined) {
        const bytes = takeAll(output)
        return makeBody(bytes, etagOf(bytes), rowCount, dataAsOf)
      }
      gather()
      const bytes = Buffer.concat(chunks)
      for (const chunk of release()) giveBack(chunk)
      return makeBody(bytes, etag.digest(), rowCount, dataAsOf)
    },
  }
}

/** A streamed body whose chunks' memory is used again, and spoiled as soon as it may be. */
import { Readable } from 'node:stream'
import type { StreamedBody } from '../../src/serve/body/body.ts'

export const CHUNK = 64 * 1024

/** @param chunkAt null is the end, undefined nothing for now */
export function sourceOf(chunkAt: (at: number) => Buffer | Error | null | undefined) {
  const out = new Set<Buffer>()
  let taken = 0
  let mostOut = 0
  let discards = 0
  let isLeft = false
  let isAtWork: (() => boolean) | undefined
  const spare: Buffer[] = []
  const stream = new Readable({
    highWaterMark: CHUNK,
    read() {
      const next = chunkAt(taken)
      if (next === undefined) return
      taken += 1
      if (next === null) this.push(null)
      else if (next instanceof Error) this.destroy(next)
      else {
        const memory = spare.pop() ?? Buffer.alloc(CHUNK)
        next.copy(memory)
        const chunk = memory.subarray(0, next.length)
        out.add(chunk)
        mostOut = Math.max(mostOut, out.size)
        this.push(chunk)
      }
    },
  })
  const body: StreamedBody = {
    kind: 'streamed',
    stream,
    rowCount: 3,
    contentLength: 5,
    dataAsOf: undefined,
    whileAtWork: is => void (isAtWork = is),
    sent(chunk) {
      if (isLeft) throw new Error('given back while it may be read')
      if (!out.delete(chunk)) throw new Error('given back twice, or not the chunk that was sent')
      const memory = Buffer.from(chunk.buffer, 0, CHUNK)
      spare.push(memory.fill(0xee))
    },
    discard() {
      discards += 1
      stream.destroy()
    },
  }
  return {
    body,
    out,
    taken: () => taken,
    mostOut: () => mostOut,
    discards: () => discards,
    isAtWork: () => isAtWork?.(),
    leave: () => void (isLeft = true),
  }
}

export function chunksOf(bytes: Buffer, size: (at: number) => number): Buffer[] {
  const chunks: Buffer[] = []
  for (let from = 0; from < bytes.length; from += chunks.at(-1)!.length) {
    chunks.push(bytes.subarray(from, from + size(chunks.length)))
  }
  return chunks
}

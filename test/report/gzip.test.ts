import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { gzipChunks, gzipWhole } from '../../src/serve/report/body.ts'
import { until } from '../harness/until.ts'

const CHUNK = 64 * 1024

/** Counts the chunks that are read, and notes its end. */
function sourceOf(chunkAt: (at: number) => Buffer | undefined) {
  const state = { readCount: 0, hasEnded: false }
  async function* chunks(): AsyncGenerator<Buffer, void> {
    try {
      for (let chunk = chunkAt(0); chunk !== undefined; chunk = chunkAt(state.readCount)) {
        state.readCount += 1
        yield chunk
      }
    } finally {
      state.hasEnded = true
    }
  }
  return { state, chunks: chunks() }
}

describe('gzip', () => {
  it('has a buffer of the exact size', async () => {
    const whole = await gzipWhole(Buffer.alloc(CHUNK))
    expect(whole.buffer.byteLength).to.equal(whole.length)
  })

  it('reads only a few chunks ahead of a slow reader, and ends its source with it', async () => {
    const noise = randomBytes(CHUNK)
    const { state, chunks } = sourceOf(() => noise)
    const compressed = gzipChunks(chunks)
    await compressed.next()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(state.readCount).to.be.lessThan(8)
    await compressed.return()
    await until(() => state.hasEnded)
  })

  it('fails with the error of its source, without an end mark', async () => {
    const broken = new Error('broken')
    const noise = randomBytes(CHUNK)
    const { chunks } = sourceOf(at => {
      if (at === 5) throw broken
      return noise
    })
    const collected: Buffer[] = []
    let error: unknown
    try {
      for await (const chunk of gzipChunks(chunks)) collected.push(chunk)
    } catch (thrown) {
      error = thrown
    }
    expect(error).to.equal(broken)
    expect(() => gunzipSync(Buffer.concat(collected))).to.throw('unexpected end of file')
  })
})

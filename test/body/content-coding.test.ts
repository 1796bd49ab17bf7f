import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { CODINGS, compress, compressWhole } from '../../src/serve/body/content-coding.ts'
import { until } from '../harness/until.ts'
import { createDecoder, decoded, registerText } from './decoded.ts'

const CHUNK = 64 * 1024

/** Counts what is taken of it, and whether it has been ended. */
function sourceOf(chunkAt: (at: number) => Buffer | undefined) {
  const state = { taken: 0, isEnded: false }
  async function* chunks(): AsyncGenerator<Buffer, void> {
    try {
      for (let chunk = chunkAt(0); chunk !== undefined; chunk = chunkAt(state.taken)) {
        state.taken += 1
        yield chunk
      }
    } finally {
      state.isEnded = true
    }
  }
  return { state, chunks: chunks() }
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = []
  for await (const chunk of chunks) found.push(chunk)
  return Buffer.concat(found)
}

describe('a content coding', () => {
  for (const coding of CODINGS) {
    it(`gives the bytes back, whole and as a stream: ${coding}`, async () => {
      const text = registerText(20_000)
      const { chunks } = sourceOf(at => {
        const from = at * 7919
        return from < text.length ? text.subarray(from, from + 7919) : undefined
      })
      expect((await decoded(await all(compress(chunks, coding)), coding)).equals(text)).to.equal(
        true,
      )
      const { signal } = new AbortController()
      const whole = await compressWhole(text, coding, '1', signal)
      expect((await decoded(whole, coding)).equals(text)).to.equal(true)
      expect(whole.buffer.byteLength, 'of a buffer of its own').to.equal(whole.length)
    })

    it(`takes no more than a few chunks for a slow reader, and ends its source with it: ${coding}`, async () => {
      const noise = randomBytes(CHUNK)
      const { state, chunks } = sourceOf(() => noise)
      const compressed = compress(chunks, coding)
      await compressed.next()
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(state.taken).to.be.lessThan(8)
      await compressed.return()
      await until(() => state.isEnded)
    })

    it(`fails as its source does, without an end mark: ${coding}`, async () => {
      const broken = new Error('broken')
      const noise = randomBytes(CHUNK)
      const { chunks } = sourceOf(at => {
        if (at === 5) throw broken
        return noise
      })
      const found: Buffer[] = []
      let error: unknown
      try {
        for await (const chunk of compress(chunks, coding)) found.push(chunk)
      } catch (thrown) {
        error = thrown
      }
      expect(error).to.equal(broken)
      expect(await decoded(Buffer.concat(found), coding).catch(() => 'not whole')).to.equal(
        'not whole',
      )
    })

    it(`holds nothing back for long where its source has no more for now: ${coding}`, async () => {
      const text = registerText(400)
      let goOn = (): void => {}
      async function* slow(): AsyncGenerator<Buffer, void> {
        yield text
        await new Promise<void>(resolve => (goOn = resolve))
      }
      const decoder = createDecoder(coding)
      const parts: Buffer[] = []
      decoder.on('data', part => void parts.push(part as Buffer))
      const writing = (async () => {
        for await (const chunk of compress(slow(), coding)) decoder.write(chunk)
      })()
      await until(() => Buffer.concat(parts).equals(text))
      goOn()
      await writing
    })
  }
})

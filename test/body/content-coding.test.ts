import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { CODINGS, compress, compressWhole } from '../../src/serve/body/content-coding.ts'
import { until } from '../harness/until.ts'
import { createDecoder, decode, registerText } from './decoder.ts'

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

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected: Buffer[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return Buffer.concat(collected)
}

describe('a content coding', () => {
  for (const coding of CODINGS) {
    it(`is decoded to the same bytes, whole and as a stream: ${coding}`, async () => {
      const text = registerText(20_000)
      const { chunks } = sourceOf(at => {
        const from = at * 7919
        return from < text.length ? text.subarray(from, from + 7919) : undefined
      })
      expect((await decode(await all(compress(chunks, coding)), coding)).equals(text)).to.equal(
        true,
      )
      const { signal } = new AbortController()
      const whole = await compressWhole(text, coding, '1', signal)
      expect((await decode(whole, coding)).equals(text)).to.equal(true)
      expect(whole.buffer.byteLength, 'has a buffer of the exact size').to.equal(whole.length)
    })

    it(`reads only a few chunks ahead of a slow reader, and ends its source with it: ${coding}`, async () => {
      const noise = randomBytes(CHUNK)
      const { state, chunks } = sourceOf(() => noise)
      const compressed = compress(chunks, coding)
      await compressed.next()
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(state.readCount).to.be.lessThan(8)
      await compressed.return()
      await until(() => state.hasEnded)
    })

    it(`fails with the error of its source, without an end mark: ${coding}`, async () => {
      const broken = new Error('broken')
      const noise = randomBytes(CHUNK)
      const { chunks } = sourceOf(at => {
        if (at === 5) throw broken
        return noise
      })
      const collected: Buffer[] = []
      let error: unknown
      try {
        for await (const chunk of compress(chunks, coding)) collected.push(chunk)
      } catch (thrown) {
        error = thrown
      }
      expect(error).to.equal(broken)
      expect(await decode(Buffer.concat(collected), coding).catch(() => 'incomplete')).to.equal(
        'incomplete',
      )
    })

    it(`flushes soon if its source sends nothing for a while: ${coding}`, async () => {
      const text = registerText(400)
      let continueSource = (): void => {}
      async function* slow(): AsyncGenerator<Buffer, void> {
        yield text
        await new Promise<void>(resolve => (continueSource = resolve))
      }
      const decoder = createDecoder(coding)
      const parts: Buffer[] = []
      decoder.on('data', part => void parts.push(part as Buffer))
      const writing = (async () => {
        for await (const chunk of compress(slow(), coding)) decoder.write(chunk)
      })()
      await until(() => Buffer.concat(parts).equals(text))
      continueSource()
      await writing
    })
  }
})

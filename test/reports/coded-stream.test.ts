import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { expect } from 'chai'
import type { StreamedBody } from '../../src/reports/body.ts'
import { encoded } from '../../src/reports/coded.ts'
import { CODINGS } from '../../src/reports/coding.ts'
import { until } from '../support/until.ts'
import { createDecoder, decoded, registerText } from './decoded.ts'
import { CHUNK, chunksOf, sourceOf } from './recycling-source.ts'

const MEBIBYTE = 2 ** 20

/** All that comes, and the error that ends it. */
async function readAll(stream: Readable): Promise<{ bytes: Buffer; error: unknown }> {
  const parts: Buffer[] = []
  try {
    for await (const part of stream) parts.push(part as Buffer)
    return { bytes: Buffer.concat(parts), error: undefined }
  } catch (error) {
    return { bytes: Buffer.concat(parts), error }
  }
}

describe('coded streams', () => {
  it('that are not coded are the source itself', () => {
    const { body } = sourceOf(() => null)
    expect(encoded(body, 'identity')).to.equal(body)
  })

  if (!CODINGS.includes('zstd')) it(`in zstd: SKIPPED, Node ${process.version} has none`)

  for (const coding of CODINGS) {
    describe(`in ${coding}`, () => {
      it('give the same bytes again, and each chunk back once, when it has been read', async () => {
        const text = registerText(20_000)
        const chunks = chunksOf(text, at => 1 + ((at * 7919) % CHUNK))
        const { body, out, discards } = sourceOf(at => chunks[at] ?? null)
        const coded = encoded(body, coding)
        expect(coded).to.include({ kind: 'streamed', rowCount: 3, contentLength: undefined })
        const { bytes, error } = await readAll(coded.stream)
        expect(error).to.equal(undefined)
        expect((await decoded(bytes, coding)).equals(text)).to.equal(true)
        expect(bytes.length).to.be.lessThan(text.length / 5)
        expect([out.size, discards()]).to.deep.equal([0, 0])
        coded.sent(bytes)
      })

      it('may be empty', async () => {
        const { bytes } = await readAll(encoded(sourceOf(() => null).body, coding).stream)
        expect((await decoded(bytes, coding)).length).to.equal(0)
      })

      it('take the memory of a few chunks for 64 MB', async () => {
        const [text] = chunksOf(registerText(1000), () => CHUNK)
        const { body, out, taken, mostOut } = sourceOf(at => (at < 1024 ? text! : null))
        const before = process.memoryUsage().rss
        let most = 0
        // why: what a decoder here leaves to be collected would be most of it
        for await (const part of encoded(body, coding).stream) {
          expect((part as Buffer).length).to.be.greaterThan(0)
          most = Math.max(most, process.memoryUsage.rss() - before)
        }
        expect([taken(), out.size]).to.deep.equal([1025, 0])
        expect(mostOut(), 'chunks on their way').to.be.lessThan(4)
        expect(most, 'more resident memory').to.be.lessThan(24 * MEBIBYTE)
      })

      it('are at work until their reader is behind, and again once it has caught up', async () => {
        const { body, isAtWork } = sourceOf(at => (at < 100 ? randomBytes(CHUNK) : undefined))
        const { stream } = encoded(body, coding)
        expect(isAtWork()).to.equal(true)
        await until(() => isAtWork() === false)
        stream.resume()
        await until(() => isAtWork() === true)
        stream.destroy()
      })

      it('hold a few chunks for a slow reader', async () => {
        const { body, taken } = sourceOf(at => (at < 100 ? randomBytes(CHUNK) : null))
        const { stream } = encoded(body, coding)
        let read = 0
        let mostHeld = 0
        const look = (): void => void (mostHeld = Math.max(mostHeld, taken() * CHUNK - read))
        for await (const part of stream) {
          read += (part as Buffer).length
          for (let turn = 0; turn < 20; turn += 1) {
            await new Promise(resolve => setImmediate(resolve))
            look()
          }
        }
        expect(read).to.be.greaterThan(100 * CHUNK)
        expect(mostHeld / CHUNK).to.be.lessThan(8)
      })

      it('hold nothing back for long where the source has no more for now', async () => {
        const text = registerText(400)
        const { body } = sourceOf(at => (at < 1 ? text : undefined))
        const coded = encoded(body, coding)
        const decoder = coded.stream.pipe(createDecoder(coding))
        const parts: Buffer[] = []
        decoder.on('data', part => void parts.push(part as Buffer))
        await until(() => Buffer.concat(parts).equals(text))
        coded.discard()
        await until(() => body.stream.destroyed)
      })

      it('break off without an end mark, and with its error, where the source breaks off', async () => {
        const broken = new Error('the replica is gone')
        const { body } = sourceOf(at => (at < 10 ? randomBytes(CHUNK) : broken))
        const { stream } = encoded(body, coding)
        const { bytes, error } = await readAll(stream)
        expect(error).to.equal(broken)
        expect([stream.destroyed, stream.readableEnded]).to.deep.equal([true, false])
        expect(bytes.length).to.be.greaterThan(CHUNK)
        const whole = await decoded(bytes, coding).catch((thrown: unknown) => thrown)
        expect(whole, 'not whole').to.be.instanceOf(Error)
      })

      it('may break off before anybody reads them', async () => {
        for (const brokenAt of [0, 1]) {
          const broken = new Error('the replica is gone')
          const { body } = sourceOf(at => (at < brokenAt ? registerText(10) : broken))
          const { stream } = encoded(body, coding)
          await until(() => stream.destroyed)
          expect(stream.errored).to.equal(broken)
        }
      })

      it('break off where the source is destroyed without an error', async () => {
        const { body } = sourceOf(at => (at < 1 ? registerText(10) : undefined))
        const { stream } = encoded(body, coding)
        const closed = once(stream, 'close').catch(() => {})
        body.stream.destroy()
        await closed
        expect(stream.errored).to.include({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
      })

      for (const [how, leave] of [
        ['is discarded', (coded: StreamedBody) => coded.discard()],
        ['breaks', (coded: StreamedBody) => void coded.stream.destroy(new Error('gone'))],
      ] as const) {
        it(`end the source where it ${how}, and give nothing back any more`, async () => {
          const noise = randomBytes(CHUNK)
          for (const turns of [0, 1, 2, 5, 20]) {
            const { body, discards, leave: noticeLeaving } = sourceOf(() => noise)
            const coded = encoded(body, coding)
            for (let turn = 0; turn < turns; turn += 1) {
              await new Promise(resolve => setImmediate(resolve))
              coded.stream.read()
            }
            leave(coded)
            noticeLeaving()
            await until(() => body.stream.closed)
            expect([coded.stream.destroyed, discards()]).to.deep.equal([true, 1])
          }
        })
      }
    })
  }
})

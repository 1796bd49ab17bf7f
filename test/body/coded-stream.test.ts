import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { etagOf, makeBody } from '../../src/serve/body/body.ts'
import type { StreamedBody } from '../../src/serve/body/body.ts'
import { codedBody, encoded } from '../../src/serve/body/coded.ts'
import { CODINGS } from '../../src/serve/body/coding.ts'
import { until } from '../harness/until.ts'
import { createDecoder, decoded, registerText } from './decoded.ts'
import { CHUNK, chunksOf, sourceOf } from './recycling-source.ts'

describe('a body in a content coding', () => {
  for (const coding of CODINGS) {
    it(`stays as it is where ${coding} is not worth it`, async () => {
      const noise = randomBytes(100_000)
      const body = makeBody(noise, etagOf(noise), 7, '2026-11-22T10:00:00Z')
      const whom = { organizationId: '1', signal: new AbortController().signal }
      expect(await codedBody(body, coding, whom)).to.deep.equal({ ...body, coding: 'identity' })
    })

    it(`gives each chunk back once, when ${coding} has read it, and holds few`, async () => {
      const text = registerText(20_000)
      const chunks = chunksOf(text, at => 1 + ((at * 7919) % CHUNK))
      const { body, out, mostOut, discards } = sourceOf(at => chunks[at] ?? null)
      const bytes = await buffer(encoded(body, coding).stream)
      expect((await decoded(bytes, coding)).equals(text)).to.equal(true)
      expect([out.size, discards()]).to.deep.equal([0, 0])
      expect(mostOut(), 'chunks on their way').to.be.lessThan(8)
    })

    it(`takes no more than a few chunks for a slow reader of ${coding}, and is at work until it is behind`, async () => {
      const noise = randomBytes(CHUNK)
      const { body, taken, isAtWork } = sourceOf(at => (at < 100 ? noise : null))
      const { stream } = encoded(body, coding)
      expect(isAtWork()).to.equal(true)
      await until(() => isAtWork() === false)
      expect(taken()).to.be.lessThan(8)
      let read = 0
      for await (const part of stream) read += (part as Buffer).length
      expect(read).to.be.greaterThan(100 * CHUNK)
      expect(isAtWork()).to.equal(true)
    })

    it(`holds nothing back for long in ${coding} where its source has no more for now`, async () => {
      const text = registerText(400)
      const coded = encoded(sourceOf(at => (at < 1 ? text : undefined)).body, coding)
      const parts: Buffer[] = []
      const decoder = coded.stream.pipe(createDecoder(coding))
      decoder.on('data', part => void parts.push(part as Buffer))
      await until(() => Buffer.concat(parts).equals(text))
      coded.discard()
    })

    for (const [how, leave] of [
      ['is discarded', (coded: StreamedBody) => coded.discard()],
      ['breaks', (coded: StreamedBody) => void coded.stream.destroy(new Error('gone'))],
    ] as const) {
      it(`ends its source where its stream in ${coding} ${how}, and gives nothing back any more`, async () => {
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
  }
})

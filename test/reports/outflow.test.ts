import { once } from 'node:events'
import { expect } from 'chai'
import { createOutflow } from '../../src/reports/outflow.ts'
import type { Outflow } from '../../src/reports/outflow.ts'
import { createSpool } from '../../src/reports/spool.ts'
import type { Spool } from '../../src/reports/spool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const CHUNK = 64 * 1024
const MEBIBYTE = 2 ** 20

describe('the outflow of an answer', () => {
  const folder = temporaryFolder()
  let nowMs = 0
  let room = 0
  let closed = 0

  function outflow(options: { spool?: Spool | undefined; patienceMs?: number } = {}): Outflow {
    nowMs = room = closed = 0
    return createOutflow({
      spool: createSpool({ maxBytes: 64 * MEBIBYTE, folder: folder }),
      organizationId: '1',
      patienceMs: 1_000_000,
      onRoom: () => (room += 1),
      onClosed: () => (closed += 1),
      now: () => nowMs,
      ...options,
    })
  }

  const chunk = (at: number): Buffer => Buffer.alloc(CHUNK, at)

  async function all({ stream }: Outflow): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(Buffer.from(part as Buffer))
    return Buffer.concat(parts)
  }

  const some = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => chunk(at))

  it('asks the run to wait for a reader that is behind, and to go on when it no longer is', async () => {
    for (const spool of [undefined, createSpool({ maxBytes: MEBIBYTE, folder: folder })]) {
      const out = outflow({ spool })
      const answers = some(5).map(each => out.take(each))
      expect(answers).to.deep.equal([true, true, true, false, false])
      const first = out.stream.read() as Buffer
      expect(first.equals(chunk(0))).to.equal(true)
      await until(() => room === 1)
      expect(spool?.byteCount() ?? 0, 'in a file').to.equal(0)
      out.take(chunk(5))
      out.end()
      const rest = await all(out)
      expect(Buffer.concat([first, rest]).equals(Buffer.concat(some(6)))).to.equal(true)
      expect(closed).to.equal(1)
    }
  })

  it('puts into a file what a reader does not take, all of it, once the run has waited enough', async () => {
    const spool = createSpool({ maxBytes: 64 * MEBIBYTE, folder: folder })!
    const out = outflow({ spool, patienceMs: 1 })
    for (const each of some(10)) out.take(each)
    await until(() => room > 0)
    expect(spool.byteCount()).to.equal(10 * CHUNK)
    for (const each of some(10)) out.take(each)
    out.end()
    expect(closed, 'with the run at its end').to.equal(0)
    expect((await all(out)).equals(Buffer.concat([...some(10), ...some(10)]))).to.equal(true)
    expect([closed, spool.byteCount()]).to.deep.equal([1, 0])
  })

  it('has the run wait, and makes no file, for as long as whoever changes the bytes is at work', async () => {
    const spool = createSpool({ maxBytes: 64 * MEBIBYTE, folder: folder })!
    const out = outflow({ spool, patienceMs: 1 })
    let asked = 0
    let atWork = true
    out.whileAtWork(() => {
      asked += 1
      return atWork
    })
    for (const each of some(4)) out.take(each)
    await until(() => asked >= 2)
    expect([room, spool.byteCount()]).to.deep.equal([0, 0])
    atWork = false
    await until(() => room === 1)
    expect(spool.byteCount()).to.equal(4 * CHUNK)
    out.end()
    expect((await all(out)).length).to.equal(4 * CHUNK)
  })

  it('counts all of the times that a run has waited', async () => {
    const spool = createSpool({ maxBytes: 64 * MEBIBYTE, folder: folder })!
    const out = outflow({ spool, patienceMs: 1_000_000 })
    for (const each of some(4)) out.take(each)
    nowMs += 1_000_000
    out.stream.read()
    await until(() => room === 1)
    expect(spool.byteCount()).to.equal(0)
    for (const each of some(4)) out.take(each)
    expect(spool.byteCount(), 'its patience is over').to.be.greaterThan(0)
    out.stream.destroy()
    await until(() => closed === 1)
    expect(spool.byteCount()).to.equal(0)
  })

  it('loses nothing, however reader and run take turns', async () => {
    const out = outflow({ patienceMs: 0 })
    const sizes = Array.from({ length: 400 }, (_, at) => 1 + ((at * 7919) % 70_000))
    const chunks = sizes.map((size, at) => Buffer.alloc(size, at))
    const reading = all(out)
    for (const [at, each] of chunks.entries()) {
      const seen = room
      const hasRoom = out.take(Buffer.from(each))
      if (!hasRoom) await until(() => room > seen)
      else if (at % 7 === 0) await new Promise(resolve => setImmediate(resolve))
    }
    out.end()
    expect((await reading).equals(Buffer.concat(chunks))).to.equal(true)
  })

  it('throws where the files may not grow, and ends the reader with an error', async () => {
    const out = outflow({
      spool: createSpool({ maxBytes: MEBIBYTE, folder: folder }),
      patienceMs: 0,
    })
    let thrown: unknown
    try {
      for (;;) out.take(chunk(1))
    } catch (error) {
      thrown = error
    }
    expect(thrown).to.include({ name: 'SpoolFullError' })
    const broken = once(out.stream, 'error')
    out.fail(thrown)
    expect(await broken).to.deep.equal([thrown])
    expect(closed).to.equal(1)
    expect(out.take(chunk(2)), 'nobody waits for a reader that is gone').to.equal(true)
  })

  it('may fail before anybody reads it', async () => {
    const out = outflow()
    out.fail(new Error('broken'))
    await until(() => closed === 1)
    expect(out.stream.errored).to.include({ message: 'broken' })
  })

  it('ends the reader with an error where no file can be made', async () => {
    const spool = createSpool({ maxBytes: MEBIBYTE, folder: `${folder}/none` })
    const out = outflow({ spool, patienceMs: 1 })
    const broken = once(out.stream, 'error')
    for (const each of some(5)) out.take(each)
    expect((await broken)[0]).to.include({ name: 'SpoolError' })
    expect(closed).to.equal(1)
  })
})

import { expect } from 'chai'
import { createOutflow } from '../../src/serve/body/outflow.ts'
import type { Outflow } from '../../src/serve/body/outflow.ts'
import { SpoolFullError } from '../../src/serve/body/spool-full.ts'
import { createSpool } from '../../src/serve/body/spool.ts'
import type { Spool } from '../../src/serve/body/spool.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'

const CHUNK = 64 * 1024
const folder = temporaryFolder()
const spoolOf = (maxBytes = 2 ** 26): Spool => createSpool({ maxBytes, folder })!
const some = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.alloc(CHUNK, at))

describe('the outflow of a response', () => {
  let nowMs = 0
  let room = 0
  let closed = 0

  function outflow(options: { spool?: Spool | undefined; patienceMs?: number }): Outflow {
    nowMs = room = closed = 0
    return createOutflow({
      spool: undefined,
      organizationId: '1',
      patienceMs: 1_000_000,
      onRoom: () => (room += 1),
      onClosed: () => (closed += 1),
      now: () => nowMs,
      ...options,
    })
  }

  async function all({ stream }: Outflow): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(Buffer.from(part as Buffer))
    return Buffer.concat(parts)
  }

  it('has the execution wait for a reader that is behind, and go on when it no longer is', async () => {
    for (const spool of [undefined, spoolOf()]) {
      const out = outflow({ spool })
      const answers = some(5).map(each => out.take(each))
      expect(answers).to.deep.equal([true, true, true, false, false])
      const first = out.stream.read() as Buffer
      await until(() => room === 1)
      expect(spool?.byteCount() ?? 0, 'in a file').to.equal(0)
      out.take(Buffer.alloc(CHUNK, 5))
      out.end()
      const bytes = Buffer.concat([first, await all(out)])
      expect(bytes.equals(Buffer.concat(some(6)))).to.equal(true)
      expect(closed).to.equal(1)
    }
  })

  it('makes no file as long as whoever changes the bytes is at work', async () => {
    const spool = spoolOf()
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
    expect([closed, spool.byteCount()]).to.deep.equal([1, 0])
  })

  it('counts all of the times that an execution has waited', async () => {
    const spool = spoolOf()
    const out = outflow({ spool })
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

  it('loses nothing, however reader and execution take turns', async () => {
    const out = outflow({ spool: spoolOf(), patienceMs: 0 })
    const chunks = Array.from({ length: 400 }, (_, at) =>
      Buffer.alloc(1 + ((at * 7919) % 70_000), at),
    )
    const reading = all(out)
    for (const [at, each] of chunks.entries()) {
      const seen = room
      const hasRoom = out.take(Buffer.from(each))
      if (!hasRoom) await until(() => room > seen)
      else if (at % 7 === 0) await new Promise(setImmediate)
    }
    out.end()
    expect((await reading).equals(Buffer.concat(chunks))).to.equal(true)
  })
})

describe('the spool', () => {
  const quiet = { onRoom: () => {}, onError: () => {} }

  it('needs no more room for a reader that catches up', async () => {
    const spool = spoolOf(2000)
    const file = spool.open('1', quiet)
    for (let round = 0; round < 20; round += 1) {
      file.append(Buffer.alloc(900, round))
      const found = await new Promise<Buffer>(resolve => file.read(resolve))
      expect(found.equals(Buffer.alloc(900, round))).to.equal(true)
    }
    expect(spool.byteCount()).to.equal(900)
    file.close()
  })

  it('is full for all of its files together, and at half for one organization, until one is closed', () => {
    const spool = spoolOf(1400)
    const [one, other, third] = ['1', '2', '3'].map(id => spool.open(id, quiet))
    const isFull = (byteCount: number, isAlone: boolean): void => {
      expect(() => third!.append(Buffer.alloc(byteCount)))
        .to.throw(SpoolFullError)
        .with.property('isAlone', isAlone)
    }
    one!.append(Buffer.alloc(700))
    other!.append(Buffer.alloc(400))
    const more = spool.open('1', quiet)
    expect(() => more.append(Buffer.alloc(1))).to.throw(SpoolFullError)
    isFull(400, false)
    isFull(701, true)
    one!.close()
    one!.close()
    third!.append(Buffer.alloc(400))
    expect(spool.byteCount()).to.equal(800)
    for (const file of [more, other, third]) file!.close()
    expect(spool.byteCount()).to.equal(0)
  })

  it('says when the disk is behind, and when it no longer is', async () => {
    let room = 0
    const file = spoolOf().open('1', { ...quiet, onRoom: () => (room += 1) })
    let appended = 0
    while (file.append(Buffer.alloc(60_000))) appended += 1
    expect(appended).to.be.lessThan(20)
    await until(() => room === 1)
    file.close()
  })

  it('is none where nothing may be written', () => {
    expect(createSpool({ maxBytes: 0, folder })).to.equal(undefined)
  })
})

import { expect } from 'chai'
import { readAhead } from '../../src/serve/body/read-ahead.ts'
import { createSpillFiles, SpillFullError } from '../../src/serve/body/spill-file.ts'
import type { SpillFiles } from '../../src/serve/body/spill-file.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'

const CHUNK = 64 * 1024
const folder = temporaryFolder()
const filesOf = (maxBytes = 2 ** 26): SpillFiles => createSpillFiles({ maxBytes, folder })!
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('reading ahead of a slow reader', () => {
  /** A source of chunks that counts what is taken of it. */
  function world(chunks: readonly Buffer[], spillFiles = filesOf(), error?: Error) {
    const state = { taken: 0, isEnded: false, cancelled: [] as unknown[] }
    async function* source(): AsyncGenerator<Buffer, void> {
      try {
        for (const chunk of chunks) {
          state.taken += 1
          yield chunk
        }
        if (error) throw error
      } finally {
        state.isEnded = true
      }
    }
    const cancel = (reason: unknown): void => void state.cancelled.push(reason)
    const out = readAhead(source(), { spillFiles, organizationId: '1', cancel })
    return { state, out, spillFiles }
  }
  const some = (count: number): Buffer[] =>
    Array.from({ length: count }, (_, at) => Buffer.alloc(CHUNK, at))

  it('takes the source to its end at its own pace, and loses nothing', async () => {
    const chunks = some(40)
    const { state, out, spillFiles } = world(chunks)
    const found = [(await out.next()).value as Buffer]
    await until(() => state.isEnded)
    expect(spillFiles.byteCount()).to.be.greaterThan(30 * CHUNK)
    for await (const chunk of out) found.push(chunk)
    expect(Buffer.concat(found).equals(Buffer.concat(chunks))).to.equal(true)
    expect([spillFiles.byteCount(), state.cancelled]).to.deep.equal([0, []])
  })

  it('needs no file for a reader that is quick', async () => {
    const { out, spillFiles } = world(some(100))
    for await (const chunk of out) {
      expect(chunk.length).to.equal(CHUNK)
      expect(spillFiles.byteCount()).to.equal(0)
    }
  })

  it('loses nothing, however reader and source take turns', async () => {
    const chunks = Array.from({ length: 300 }, (_, at) =>
      Buffer.alloc(1 + ((at * 7919) % 70_000), at),
    )
    const { out } = world(chunks)
    const found: Buffer[] = []
    for await (const chunk of out) {
      found.push(Buffer.from(chunk))
      if (found.length % 50 === 0) await new Promise(resolve => setTimeout(resolve, 300))
    }
    expect(Buffer.concat(found).equals(Buffer.concat(chunks))).to.equal(true)
  })

  it('ends the source and the file with its reader', async () => {
    const { state, out, spillFiles } = world(some(400), filesOf(2 ** 22))
    await out.next()
    await out.return()
    await until(() => state.isEnded)
    expect(state.cancelled[0]).to.include({ message: 'the client disconnected' })
    expect(spillFiles.byteCount()).to.equal(0)
  })

  it('fails as the source does', async () => {
    const error = new Error('broken')
    const { state, out } = world(some(2), filesOf(), error)
    const read = async (): Promise<void> => {
      for await (const chunk of out) void chunk
    }
    expect(await reasonOf(read())).to.equal(error)
    expect(state.cancelled).to.deep.equal([])
  })

  it('ends the source where no file can hold what is not read', async () => {
    const { state, out, spillFiles } = world(some(400), filesOf(2 ** 20))
    await out.next()
    await until(() => state.isEnded)
    expect(state.cancelled[0]).to.be.instanceOf(SpillFullError)
    expect(await reasonOf(out.next())).to.be.instanceOf(SpillFullError)
    await until(() => spillFiles.byteCount() === 0)
  })
})

describe('spill files', () => {
  it('need no more disk for a reader that catches up', async () => {
    const spillFiles = filesOf(2000)
    const file = await spillFiles.open('1')
    for (let round = 0; round < 20; round += 1) {
      await file.append(Buffer.alloc(900, round))
      expect(file.unreadBytes()).to.equal(900)
      expect((await file.read()).equals(Buffer.alloc(900, round))).to.equal(true)
    }
    expect(spillFiles.byteCount()).to.equal(900)
    await file.close()
  })

  it('are full together, and at half for one organization, until one is closed', async () => {
    const spillFiles = filesOf(1400)
    const [one, other, third, more] = await Promise.all(
      ['1', '2', '3', '1'].map(id => spillFiles.open(id)),
    )
    const expectFull = async (byteCount: number, isAlone: boolean): Promise<void> => {
      const error = await reasonOf(third!.append(Buffer.alloc(byteCount)))
      expect(error).to.be.instanceOf(SpillFullError).with.property('isAlone', isAlone)
    }
    await one!.append(Buffer.alloc(700))
    await other!.append(Buffer.alloc(400))
    expect(await reasonOf(more!.append(Buffer.alloc(1)))).to.be.instanceOf(SpillFullError)
    await expectFull(400, false)
    await expectFull(701, true)
    await one!.close()
    await one!.close()
    await third!.append(Buffer.alloc(400))
    expect(spillFiles.byteCount()).to.equal(800)
    for (const file of [more, other, third]) await file!.close()
    expect(spillFiles.byteCount()).to.equal(0)
  })

  it('count nothing of one that is closed', async () => {
    const spillFiles = filesOf()
    const file = await spillFiles.open('1')
    await file.close()
    expect(await reasonOf(file.append(Buffer.alloc(1)))).to.be.instanceOf(Error)
    expect(spillFiles.byteCount()).to.equal(0)
  })

  it('are none where nothing may be written', () => {
    expect(createSpillFiles({ maxBytes: 0, folder })).to.equal(undefined)
  })
})

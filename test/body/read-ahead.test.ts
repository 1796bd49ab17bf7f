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

describe('readAhead', () => {
  /** A source that counts the chunks that are read. */
  function setUp(chunks: readonly Buffer[], spillFiles = filesOf(), error?: Error) {
    const state = { readCount: 0, hasEnded: false, cancelled: [] as unknown[] }
    async function* source(): AsyncGenerator<Buffer, void> {
      try {
        for (const chunk of chunks) {
          state.readCount += 1
          yield chunk
        }
        if (error) throw error
      } finally {
        state.hasEnded = true
      }
    }
    const cancel = (reason: unknown): void => void state.cancelled.push(reason)
    const output = readAhead(source(), { spillFiles, organizationId: '1', cancel })
    return { state, output, spillFiles }
  }
  const chunksOf = (count: number): Buffer[] =>
    Array.from({ length: count }, (_, at) => Buffer.alloc(CHUNK, at))

  it('reads the source to its end independently of the reader, and loses nothing', async () => {
    const chunks = chunksOf(40)
    const { state, output, spillFiles } = setUp(chunks)
    const received = [(await output.next()).value as Buffer]
    await until(() => state.hasEnded)
    expect(spillFiles.byteCount()).to.be.greaterThan(30 * CHUNK)
    for await (const chunk of output) received.push(chunk)
    expect(Buffer.concat(received).equals(Buffer.concat(chunks))).to.equal(true)
    expect([spillFiles.byteCount(), state.cancelled]).to.deep.equal([0, []])
  })

  it('needs no file for a fast reader', async () => {
    const { output, spillFiles } = setUp(chunksOf(100))
    for await (const chunk of output) {
      expect(chunk.length).to.equal(CHUNK)
      expect(spillFiles.byteCount()).to.equal(0)
    }
  })

  it('loses nothing when reader and source alternate', async () => {
    const chunks = Array.from({ length: 300 }, (_, at) =>
      Buffer.alloc(1 + ((at * 7919) % 70_000), at),
    )
    const { output } = setUp(chunks)
    const received: Buffer[] = []
    for await (const chunk of output) {
      received.push(Buffer.from(chunk))
      if (received.length % 50 === 0) await new Promise(resolve => setTimeout(resolve, 300))
    }
    expect(Buffer.concat(received).equals(Buffer.concat(chunks))).to.equal(true)
  })

  it('ends the source and closes the file when the reader stops', async () => {
    const { state, output, spillFiles } = setUp(chunksOf(400), filesOf(2 ** 22))
    await output.next()
    await output.return()
    await until(() => state.hasEnded)
    expect(state.cancelled[0]).to.include({ message: 'the client disconnected' })
    expect(spillFiles.byteCount()).to.equal(0)
  })

  it('fails with the error of the source', async () => {
    const error = new Error('broken')
    const { state, output } = setUp(chunksOf(2), filesOf(), error)
    const read = async (): Promise<void> => {
      for await (const chunk of output) void chunk
    }
    expect(await reasonOf(read())).to.equal(error)
    expect(state.cancelled).to.deep.equal([])
  })

  it('ends the source if the spill files are full', async () => {
    const { state, output, spillFiles } = setUp(chunksOf(400), filesOf(2 ** 20))
    await output.next()
    await until(() => state.hasEnded)
    expect(state.cancelled[0]).to.be.instanceOf(SpillFullError)
    expect(await reasonOf(output.next())).to.be.instanceOf(SpillFullError)
    await until(() => spillFiles.byteCount() === 0)
  })
})

describe('spill files', () => {
  it('reuse their disk space when all is read', async () => {
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

  it('have a limit for all, and half of it per organization, until one is closed', async () => {
    const spillFiles = filesOf(1400)
    const [one, other, third, another] = await Promise.all(
      ['1', '2', '3', '1'].map(id => spillFiles.open(id)),
    )
    const expectFull = async (byteCount: number, isFileTooLarge: boolean): Promise<void> => {
      const error = await reasonOf(third!.append(Buffer.alloc(byteCount)))
      expect(error).to.be.instanceOf(SpillFullError).with.property('isFileTooLarge', isFileTooLarge)
    }
    await one!.append(Buffer.alloc(700))
    await other!.append(Buffer.alloc(400))
    expect(await reasonOf(another!.append(Buffer.alloc(1)))).to.be.instanceOf(SpillFullError)
    await expectFull(400, false)
    await expectFull(701, true)
    await one!.close()
    await one!.close()
    await third!.append(Buffer.alloc(400))
    expect(spillFiles.byteCount()).to.equal(800)
    for (const file of [another, other, third]) await file!.close()
    expect(spillFiles.byteCount()).to.equal(0)
  })

  it('do not count a closed file', async () => {
    const spillFiles = filesOf()
    const file = await spillFiles.open('1')
    await file.close()
    expect(await reasonOf(file.append(Buffer.alloc(1)))).to.be.instanceOf(Error)
    expect(spillFiles.byteCount()).to.equal(0)
  })

  it('are disabled if the limit is 0', () => {
    expect(createSpillFiles({ maxBytes: 0, folder })).to.equal(undefined)
  })
})

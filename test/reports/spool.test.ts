import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { Problem } from '../../src/errors.ts'
import { classifyError } from '../../src/replica/classify-error.ts'
import { SpoolError } from '../../src/reports/nameless-file.ts'
import { SpoolFullError } from '../../src/reports/spool-full.ts'
import { createSpool } from '../../src/reports/spool.ts'
import type { SpoolFile } from '../../src/reports/spool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const MEBIBYTE = 2 ** 20

describe('the spool', () => {
  const folder = temporaryFolder()
  const quiet = { onRoom: () => {}, onError: () => {} }
  const spoolOf = (maxBytes: number) => createSpool({ maxBytes, folder: folder })!

  const next = (file: SpoolFile): Promise<Buffer> => new Promise(resolve => file.read(resolve))

  async function rest(file: SpoolFile): Promise<Buffer> {
    const parts: Buffer[] = []
    while (!file.isEmpty()) parts.push(Buffer.from(await next(file)))
    return Buffer.concat(parts)
  }

  it('gives back what it was given, in order, from a file that nobody finds', async () => {
    const spool = spoolOf(100 * MEBIBYTE)
    const file = spool.open('1', quiet)
    const chunks = Array.from({ length: 300 }, (_, at) => Buffer.alloc(1000 + at * 37, at))
    for (const chunk of chunks.slice(0, 150)) file.append(Buffer.from(chunk))
    const early = Buffer.from(await next(file))
    for (const chunk of chunks.slice(150)) file.append(Buffer.from(chunk))
    expect(readdirSync(folder)).to.deep.equal([])
    const all = Buffer.concat([early, await rest(file)])
    expect(all.equals(Buffer.concat(chunks))).to.equal(true)
    file.close()
    expect(spool.byteCount()).to.equal(0)
  })

  it('says that a file cannot be made, and nothing that may be taken for a replica gone', () => {
    const spool = createSpool({ maxBytes: MEBIBYTE, folder: `${folder}/none` })!
    const failed = (): unknown => spool.open('1', quiet)
    expect(failed).to.throw(SpoolError, /ENOENT/)
    expect(() => {
      try {
        failed()
      } catch (error) {
        throw classifyError(error)
      }
    })
      .to.throw(Problem)
      .with.property('code', 'internal_error')
  })

  it('waits for what is not written yet, and needs no more room for a reader that catches up', async () => {
    const spool = spoolOf(2000)
    const file = spool.open('1', quiet)
    for (let round = 0; round < 20; round += 1) {
      file.append(Buffer.alloc(900, round))
      expect((await rest(file)).equals(Buffer.alloc(900, round))).to.equal(true)
    }
    expect(spool.byteCount()).to.equal(900)
    file.close()
  })

  it('is full for all of its files together, until one is closed', async () => {
    const spool = spoolOf(1400)
    const [one, other] = [spool.open('1', quiet), spool.open('2', quiet)]
    one.append(Buffer.alloc(700))
    other.append(Buffer.alloc(400))
    const third = spool.open('3', quiet)
    expect(() => third.append(Buffer.alloc(400)))
      .to.throw(SpoolFullError)
      .with.property('isAlone', false)
    expect(() => third.append(Buffer.alloc(701)))
      .to.throw(SpoolFullError)
      .with.property('isAlone', true)
    one.close()
    one.close()
    third.append(Buffer.alloc(400))
    expect(spool.byteCount()).to.equal(800)
    other.close()
    third.close()
  })

  it('has half of its room for one organization at most', () => {
    const spool = spoolOf(1000)
    const [one, another, theirs] = ['1', '1', '2'].map(id => spool.open(id, quiet))
    one!.append(Buffer.alloc(300))
    expect(() => another!.append(Buffer.alloc(300))).to.throw(SpoolFullError)
    theirs!.append(Buffer.alloc(300))
    one!.close()
    another!.append(Buffer.alloc(300))
    for (const file of [another, theirs]) file!.close()
    expect(spool.byteCount()).to.equal(0)
  })

  it('says when the disk is behind, and when it no longer is', async () => {
    let room = 0
    const file = spoolOf(100 * MEBIBYTE).open('1', { ...quiet, onRoom: () => (room += 1) })
    file.append(Buffer.alloc(100))
    let appended = 0
    while (file.append(Buffer.alloc(60_000))) appended += 1
    expect(appended).to.be.lessThan(20)
    await until(() => room === 1)
    file.close()
  })

  it('writes nothing where it may not', () => {
    expect(createSpool({ maxBytes: 0, folder: folder })).to.equal(undefined)
  })
})

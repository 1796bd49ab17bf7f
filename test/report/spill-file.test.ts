import { expect } from 'chai'
import { createSpillFiles, SpillFullError } from '../../src/serve/report/spill-file.ts'
import type { SpillFiles } from '../../src/serve/report/spill-file.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { reasonOf } from '../database/execute.ts'

const folder = temporaryFolder()
const filesOf = (maxBytes = 2 ** 26): SpillFiles => createSpillFiles({ maxBytes, folder })!

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

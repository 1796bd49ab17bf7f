import { expect } from 'chai'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takeFolder } from '../../src/demo/lock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe("a folder's lock", () => {
  const folder = temporaryFolder()
  const lock = join(folder, 'lock')

  it('keeps others out until it is given up', () => {
    const giveUp = takeFolder(folder)
    expect(() => takeFolder(folder)).to.throw(`${folder} is in use by process ${process.pid}`)
    giveUp()
    expect(readdirSync(folder)).to.deep.equal([])
  })

  it('means nothing if its process is gone, or the pid is another process by now', () => {
    for (const holder of ['4194304 12345', `${process.pid} before the last restart`, '']) {
      writeFileSync(lock, holder)
      const giveUp = takeFolder(folder)
      expect(readFileSync(lock, 'utf8')).to.match(new RegExp(`^${process.pid} `))
      giveUp()
    }
  })
})

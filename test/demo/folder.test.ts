import { expect } from 'chai'
import {
  chmodSync,
  lstatSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { folderFor } from '../../src/demo/folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ended, startInAnotherProcess } from './another-process.ts'

const isRoot = process.getuid?.() === 0

describe("the demo's folder", () => {
  const account = serverAccount()

  it('is the one that was asked for, and nobody else can list it', () => {
    const wanted = join(temporaryFolder(), 'deep', 'pair')
    expect(folderFor(account, wanted)).to.equal(wanted)
    expect(lstatSync(wanted).mode & 0o777).to.equal(isRoot ? 0o711 : 0o700)
    expect(readdirSync(wanted)).to.deep.equal([])
  })

  it('is refused if it is not our own', () => {
    const wanted = join(temporaryFolder(), 'pair')
    symlinkSync('/var', wanted)
    expect(() => folderFor(account, wanted)).to.throw(
      `${wanted} is there already and is not a folder`,
    )
  })

  describe('of root', () => {
    before(function () {
      if (!isRoot) this.skip()
    })

    it("is under /var/tmp if the servers' user cannot get to the one asked for", () => {
      const hidden = temporaryFolder()
      chmodSync(hidden, 0o700)
      const wanted = join(hidden, 'pair')
      const folder = folderFor(account, wanted)
      expect(folder).to.match(/^\/var\/tmp\/svodka-0\/[0-9a-f]{12}$/)
      expect(readFileSync(join(wanted, 'moved-to'), 'utf8')).to.equal(`${folder}\n`)

      writeFileSync(join(folder, 'data'), '')
      expect(readdirSync(folderFor(account, wanted))).to.deep.equal(['data'])
      rmSync(wanted, { recursive: true })
      expect(readdirSync(folderFor(account, wanted))).to.deep.equal([])
      rmSync(folder, { recursive: true })
    })

    it('serves an ordinary user as well', async () => {
      const folder = temporaryFolder()
      account.give(folder)
      const { child, fresh, pids } = await startInAnotherProcess(join(folder, 'pair'), account.ids)
      child.kill('SIGKILL')
      expect(fresh).to.equal(true)
      expect(lstatSync(join(folder, 'pair')).mode & 0o777).to.equal(0o700)
      expect(await ended(pids)).to.equal(true)
    })
  })
})

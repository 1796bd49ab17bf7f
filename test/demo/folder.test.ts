import { expect } from 'chai'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { makeSymlinks } from '../../src/demo/binaries.ts'
import { folderFor } from '../../src/demo/folder.ts'
import { takeFolder } from '../../src/demo/lock.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { skip } from '../harness/skip.ts'

const isRoot = process.getuid?.() === 0

describe("the demo's folder", () => {
  const account = serverAccount()

  it('is the requested one, which no other user can list', () => {
    const wanted = join(temporaryFolder(), 'deep', 'pair')
    expect(folderFor(account, wanted)).to.equal(wanted)
    expect(lstatSync(wanted).mode & 0o777).to.equal(isRoot ? 0o711 : 0o700)
    expect(readdirSync(wanted)).to.deep.equal([])
  })

  it('is rejected if another user owns it', () => {
    const wanted = join(temporaryFolder(), 'pair')
    symlinkSync('/var', wanted)
    expect(() => folderFor(account, wanted)).to.throw(`${wanted} exists and is not a folder`)
  })

  it("is under /var/tmp if root's servers cannot reach the requested one", function () {
    if (!isRoot) skip(this, 'only root can')
    const hidden = temporaryFolder()
    chmodSync(hidden, 0o700)
    const wanted = join(hidden, 'pair')
    const folder = folderFor(account, wanted)
    expect(folder).to.match(/^\/var\/tmp\/svodka-0\/[0-9a-f]{12}$/)
    expect(readFileSync(join(wanted, 'moved-to'), 'utf8')).to.equal(`${folder}\n`)

    writeFileSync(join(folder, 'data'), '')
    expect(readdirSync(folderFor(account, wanted))).to.deep.equal(['data'])
    rmSync(wanted, { recursive: true })
    const release = takeFolder(folder)
    expect(() => folderFor(account, wanted)).to.throw(`${folder} is in use by process`)
    expect(readdirSync(folder)).to.include('data')
    release()
    expect(readdirSync(folderFor(account, wanted))).to.deep.equal([])
    rmSync(folder, { recursive: true })
  })

  it('is taken over from a process that has ended, even if its pid was reused', () => {
    const folder = temporaryFolder()
    for (const holder of ['4194304 12345', `${process.pid} before the last restart`, '']) {
      writeFileSync(join(folder, 'lock'), holder)
      const giveUp = takeFolder(folder)
      expect(readFileSync(join(folder, 'lock'), 'utf8')).to.match(new RegExp(`^${process.pid} `))
      expect(() => takeFolder(folder)).to.throw(`${folder} is in use by process ${process.pid}`)
      giveUp()
      expect(readdirSync(folder)).to.deep.equal([])
    }
    symlinkSync('nowhere', join(folder, 'lock'))
    takeFolder(folder)()
    expect(readdirSync(folder), 'a lock that cannot be read').to.deep.equal([])
  })

  it("has PostgreSQL's programs with the links that npm cannot pack", () => {
    const native = join(temporaryFolder(), 'native')
    mkdirSync(native)
    writeFileSync(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/libpq.so.5.18', target: 'native/libpq.so.5' }]),
    )
    makeSymlinks(native)
    makeSymlinks(native)
    expect(readlinkSync(join(native, 'libpq.so.5'))).to.equal('libpq.so.5.18')
  })
})

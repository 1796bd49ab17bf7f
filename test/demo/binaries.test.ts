import { expect } from 'chai'
import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { findBinaries, makeSymlinks } from '../../src/demo/binaries.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe("PostgreSQL's programs", () => {
  it('run here, as the user who runs the servers', () => {
    expect(findBinaries(serverAccount()).version).to.match(/^postgres \(PostgreSQL\) \d+/)
  })

  it("get the links that npm cannot pack, though no package's script has run", () => {
    const native = join(temporaryFolder(), 'native')
    mkdirSync(join(native, 'lib'), { recursive: true })
    writeFileSync(join(native, 'lib', 'libpq.so.5.18'), '')
    writeFileSync(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
    )
    makeSymlinks(native)
    makeSymlinks(native)
    expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).to.equal('libpq.so.5.18')
  })
})

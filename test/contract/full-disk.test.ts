// If the disk is full, responses of slow clients break off, and the process continues.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ask10 } from '../harness/http-1.0.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { gatewayProcessesOfTests } from './gateway-processes.ts'
import { endOf, inFlight, openResponse, shopsFolder, SMALL_FLOOD } from './gateways.ts'

/** A prefix for commands: mounts a file system of this size at TMPDIR until the process ends. */
const onSmallDisk = (size: string): string[] => [
  'unshare',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${size} tmpfs "$TMPDIR" && exec "$@"`,
  'sh',
]

describe('a spool folder that is gone', function () {
  this.timeout(60_000)
  const start = gatewayProcessesOfTests()

  it('shows in readiness until it is there again', async () => {
    const TMPDIR = join(temporaryFolder(), 'spool')
    mkdirSync(TMPDIR)
    const gateway = await start(
      { TMPDIR, SQL_DIR: shopsFolder(SMALL_FLOOD) },
      { limits: { maxCachedBytes: 1_048_576 } },
    )
    const ask = async (day: number): Promise<string> => {
      await ask10(`${gateway.url}/api/public/v1/reports/flood?to=2026-12-0${day}`, {
        'X-Api-Key': 'key of shop 1',
      })
      return (await fetch(`${gateway.opsUrl}/readyz?verbose`)).text()
    }
    expect(await ask(1)).to.contain('[+]spool ok\n')
    rmSync(TMPDIR, { recursive: true })
    expect(await ask(2)).to.match(
      /^\[\+\]spool degraded: the spill file of a slow client failed: .*ENOENT/m,
    )
    mkdirSync(TMPDIR)
    expect(await ask(3)).to.contain('[+]spool ok\n')
  })
})

describe('a disk that is full', function () {
  this.timeout(60_000)
  const start = gatewayProcessesOfTests()
  const { PATH = '' } = process.env
  before(function () {
    const [program, ...args] = [...onSmallDisk('64k'), 'true']
    const { status, error } = spawnSync(program, args, {
      env: { PATH, TMPDIR: temporaryFolder() },
    })
    if (status !== 0) skip(this, `no file system can be mounted: ${error?.message ?? status}`)
  })

  for (const size of ['64k', '4m']) {
    it(`breaks only responses of slow clients: ${size}`, async () => {
      const gateway = await start(
        { PATH, TMPDIR: temporaryFolder(), SQL_DIR: shopsFolder(SMALL_FLOOD) },
        { prefix: onSmallDisk(size), limits: { maxCachedBytes: 1_048_576 } },
      )
      const readers = await Promise.all(
        [1, 2].map(day => openResponse(gateway, `/reports/flood?to=2026-12-0${day}`)),
      )
      for (const reader of readers) reader.pause()
      // why: the clients read nothing until the gateway has closed the responses
      await until(async () => (await inFlight(gateway)) === '0')
      for (const reader of readers) {
        expect(reader.statusCode).to.equal(200)
        expect(await endOf(reader)).to.equal('reset')
      }
      // why: HTTP/1.0 needs a length before its first byte, and thus a spill file
      const { status } = await ask10(`${gateway.url}/api/public/v1/reports/flood?to=2026-12-03`, {
        'X-Api-Key': 'key of shop 1',
      })
      expect(status).to.equal(503)
      expect(await (await fetch(`${gateway.opsUrl}/readyz?verbose`)).text()).to.match(
        /^\[\+\]spool degraded: the spill file of a slow client failed: .*(?:ENOSPC|full)/m,
      )
      expect((await gateway.ask('/reports/receipts.csv')).status).to.equal(200)
      await gateway.expectNothingLeft('a full disk')
      expect(gateway.process.child.exitCode).to.equal(null)
      expect((await fetch(`${gateway.opsUrl}/readyz`)).status).to.equal(200)
    })
  }
})

// If the disk is full, large reports are refused, and the process continues.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { processesOfTests } from '../harness/shops-gateway.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { readyz, shopsFolder, SMALL_FLOOD } from './gateways.ts'

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

describe('a spool folder that is gone', () => {
  const start = processesOfTests()

  it('shows in readiness until it is there again', async () => {
    const TMPDIR = join(temporaryFolder(), 'spool')
    mkdirSync(TMPDIR)
    const gateway = await start(
      { TMPDIR, SQL_DIR: shopsFolder(SMALL_FLOOD) },
      { limits: { maxCachedBytes: 1_048_576 } },
    )
    const ask = async (day: number): Promise<string> => {
      await gateway.ask(`/reports/flood?from=2026-01-01&to=2026-12-0${day}`)
      return readyz(gateway)
    }
    expect(await ask(1)).to.contain('[+]spool ok\n')
    rmSync(TMPDIR, { recursive: true })
    expect(await ask(2)).to.match(
      /^\[\+\]spool degraded: the file of a large response failed: .*ENOENT/m,
    )
    mkdirSync(TMPDIR)
    expect(await ask(3)).to.contain('[+]spool ok\n')
  })
})

describe('a disk that is full', () => {
  const start = processesOfTests()
  const { PATH = '' } = process.env
  before(function () {
    const [program, ...args] = [...onSmallDisk('64k'), 'true']
    const { status, error } = spawnSync(program, args, {
      env: { PATH, TMPDIR: temporaryFolder() },
    })
    if (status !== 0) skip(this, `no file system can be mounted: ${error?.message ?? status}`)
  })

  for (const size of ['64k', '20m']) {
    it(`refuses only large reports: ${size}`, async () => {
      const gateway = await start(
        { PATH, TMPDIR: temporaryFolder(), SQL_DIR: shopsFolder(SMALL_FLOOD) },
        { prefix: onSmallDisk(size), limits: { maxCachedBytes: 1_048_576 } },
      )
      for (const { status, json } of await Promise.all(
        [1, 2].map(day => gateway.ask(`/reports/flood?from=2026-01-01&to=2026-12-0${day}`)),
      )) {
        expect([status, json.code]).to.deep.equal([503, 'overloaded'])
        expect(json.detail).to.match(/диск/)
      }
      expect(await readyz(gateway)).to.match(
        /^\[\+\]spool degraded: the file of a large response failed: .*(?:ENOSPC|full)/m,
      )
      expect((await gateway.ask('/reports/receipts.csv')).status).to.equal(200)
      await gateway.expectNothingLeft('a full disk')
      expect(gateway.child.exitCode).to.equal(null)
      expect((await fetch(`${gateway.opsUrl}/readyz`)).status).to.equal(200)
    })
  }
})

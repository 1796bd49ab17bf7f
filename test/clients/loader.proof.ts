import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { startProxy } from '../harness/proxy.ts'
import { run as query } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { clientsGateway, KEY, reportsUrl, start, type Running } from './clients.ts'

const LOADER = fileURLToPath(new URL('scripts/load-months.js', import.meta.url))

describe('a loader that pulls two years month by month', function () {
  this.timeout(60_000)
  const world = clientsGateway({ REPORT_POOL_SIZE: '1', QUEUE_TIMEOUT: '100ms' })
  const folder = temporaryFolder()

  const load = (url = world.gateway.url): Running =>
    start(process.execPath, [LOADER, reportsUrl(url), 'ledger', '2025-01', '2026-12', folder], {
      env: { SVODKA_KEY: KEY },
    })
  const sizeOf = (name: string): number => statSync(join(folder, name)).size
  const months = (): string[] => readdirSync(folder).filter(name => name.endsWith('.ndjson'))

  it('is killed in the middle of a month, with complete months and one partial file', async () => {
    const proxy = await startProxy(world.gateway.url)
    try {
      proxy.hurt({ sliceBytes: 256, bytesPerSecond: 30_000 }, 'toClient')
      const { child, ended } = load(new URL(proxy.url).origin)
      await until(
        () =>
          months().length >= 2 &&
          readdirSync(folder).some(name => name.endsWith('.ndjson.part') && sizeOf(name) > 0),
      )
      child.kill('SIGKILL')
      expect((await ended).exitCode).to.equal(-1)
    } finally {
      await proxy.cut()
    }
    expect(months().length).to.be.within(2, 23)
  })

  it('resumes, waits while the gateway is overloaded, and has the rows of one download', async () => {
    const { shops } = world
    const sleeps = world.ask('/reports/sleeps_two')
    const sleeping = `select 1 from pg_stat_activity where datname = 'shops' and wait_event = 'PgSleep'`
    await until(async () => (await query(shops.replicaUrl, sleeping)).length > 0)
    const loadedMonths = months().length
    const { exitCode, stdout, stderr } = await load().ended
    expect([exitCode, (await sleeps).status]).to.deep.equal([0, 200])
    expect(stderr).to.match(/^429 .*: again in \d+ s$/m)
    const lines = stdout.toString().trimEnd().split('\n')
    expect(lines).to.have.length(24)
    const loaded = lines.filter(line => line.endsWith(' rows')).length
    // why: one month may have been loaded before it was recorded
    expect(loaded).to.be.within(24 - loadedMonths, 25 - loadedMonths)
    const wholeYear = await world.ask('/reports/ledger.ndjson?from=2025-01-01&to=2026-12-31')
    const pulled = months()
      .toSorted()
      .map(name => readFileSync(join(folder, name), 'utf8'))
    expect(pulled).to.have.length(24)
    expect(wholeYear.text.split('\n')).to.have.length(730 * 3 + 1)
    expect(pulled.join('') === wholeYear.text).to.equal(true)
    expect(readdirSync(folder).filter(name => name.endsWith('.part'))).to.deep.equal([])
  })

  it('revalidates unchanged months, and loads none', async () => {
    const { exitCode, stdout } = await load().ended
    expect(exitCode).to.equal(0)
    expect(stdout.toString().match(/is here already/g)).to.have.length(24)
  })
})

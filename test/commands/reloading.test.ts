// Reloads while the replica is unavailable; `watch.test.ts` has the rest.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createReloading, readFirst } from '../../src/serve/command-line/reloading.ts'
import { createReloadReport } from '../../src/author/commands/reload-report.ts'
import type { Catalog } from '../../src/definitions/definition.ts'
import type { GatewayProcess } from '../../src/serve/command-line/gateway-process.ts'
import { printLine } from '../../src/serve/command-line/output.ts'
import { ACCESS, REPORT } from '../definitions/sql-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { captured } from './in-process.ts'

const A = 'sql/reports/shop/a.sql'

describe('reloading without a replica', function () {
  this.timeout(60_000)
  const parent = temporaryFolder()
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(parent, file)), { recursive: true })
    writeFileSync(join(parent, file), text)
  }
  const titled = (title: string) => REPORT.replace('Продажи', title)
  let isAvailable = true
  let dryRunCount = 0
  let reload: () => void

  /** Rejects the title `bad`. */
  async function dryRun({ reports }: Catalog) {
    dryRunCount += 1
    if (!isAvailable) return undefined
    if (reports.get('a')?.title !== 'bad') return []
    return [{ finding: { file: A, line: 9, message: 'no such column' } }]
  }

  const reloaded = async () => {
    const before = dryRunCount
    reload()
    await until(() => dryRunCount > before)
    // why: the report is printed after the dry run
    await sleep(50)
  }

  before(async () => {
    write('sql/access/organization_by_key.sql', ACCESS)
    write(A, REPORT)
    write('sql/reports/shop/b.sql', titled('b'))
    const directory = join(parent, 'sql')
    const gateway = { gateway: { dryRun }, observe: () => {}, replaceCatalog: () => {} }
    const running = gateway as unknown as GatewayProcess
    reload = createReloading({
      directory,
      first: await readFirst(directory),
      running,
      allOrNothing: false,
      report: createReloadReport(directory),
      onWait: () =>
        printLine('the replica is unavailable: changes are used once they are validated there'),
      now: () => 0,
    })
  })

  const printed = async (work: () => Promise<void>) =>
    (await captured(() => work().then(() => 0))).stderr

  it('does not print that a rejected file is fixed', async () => {
    await printed(reloaded)
    write(A, titled('bad'))
    expect(await printed(reloaded)).to.contain('no such column')
    isAvailable = false
    write('sql/reports/shop/b.sql', titled('c'))
    expect(await printed(reloaded)).to.equal(
      'the replica is unavailable: changes are used once they are validated there\n',
    )
  })

  it('retries in one loop, however many saves there were', async () => {
    for (let save = 0; save < 6; save += 1) await printed(reloaded)
    dryRunCount = 0
    await sleep(2500)
    expect(dryRunCount).to.be.within(1, 4)
    isAvailable = true
  })

  it('reads the folder once more, however often it is called meanwhile', async () => {
    await printed(reloaded)
    dryRunCount = 0
    for (let call = 0; call < 100; call += 1) reload()
    await sleep(1000)
    expect(dryRunCount).to.be.within(1, 2)
  })
})

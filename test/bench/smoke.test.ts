/** Each group of the benchmark works: on the tests' servers, with little data and the shortest rounds. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../harness/closers.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { EFFORTS, type Bench, type Row } from './bench.ts'
import { gatewaysOf } from './gateway.ts'
import { GROUPS, rowsOf } from './groups.ts'
import { productOf } from './product.ts'

describe('the benchmark', () => {
  const folder = temporaryFolder()
  const closers = createClosers()
  const measured = new Map<string, Promise<readonly Row[]>>()
  before(async () => {
    const watchdog = startWatchdog()
    closers.onEnd(() => watchdog.end())
    const bench: Omit<Bench, 'folder'> = {
      effort: EFFORTS.smoke,
      gateways: gatewaysOf(),
      product: await productOf(await sharedCluster()),
      busyCoresBefore: 0,
      watchdog,
      signal: new AbortController().signal,
      progress: () => {},
      onEnd: close => closers.onEnd(close),
    }
    // Three at a time, since wrk runs for a second at least.
    for (const [at, group] of GROUPS.entries()) {
      const own = mkdtempSync(join(folder, group.name))
      const earlier = measured.get(GROUPS[at - 3]?.name ?? '') ?? Promise.resolve()
      measured.set(
        group.name,
        earlier.then(() => rowsOf(group, { ...bench, folder: own })),
      )
    }
  })
  after(() => closers.closeAll())

  for (const { name } of GROUPS) {
    it(`measures ${name}`, async function () {
      const rows = (await measured.get(name)) ?? []
      const missing = rows.find(({ value, broke }) => value === undefined && broke === undefined)
      if (missing !== undefined) skip(this, missing.note ?? '')
      expect(rows.map(({ broke }) => broke)).to.deep.equal(rows.map(() => undefined))
      expect(rows).not.to.have.length(0)
      for (const row of rows) expect(row.value, row.name).to.be.within(0, 1e6)
    })
  }
})

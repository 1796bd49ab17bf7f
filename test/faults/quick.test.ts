// The quick scenarios of the fault bench, on servers of their own: a regression shows before `make faults` is run.
import { expect } from 'chai'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../bench/closers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scenariosNamed } from './groups.ts'
import { runScenario } from '../harness/run-scenario.ts'
import { verdictOf } from '../harness/scenario.ts'
import type { Figure } from '../harness/scenario.ts'
import { startServers } from '../harness/servers.ts'
import type { Servers } from '../harness/servers.ts'
import { tableOf } from '../harness/table.ts'

describe('faults', function () {
  this.timeout(60_000)
  const closers = createClosers()
  const folder = temporaryFolder()
  let watchdog: Watchdog
  let servers: Servers
  before(async () => {
    watchdog = startWatchdog()
    closers.onEnd(() => watchdog.end())
    servers = await startServers({ folder, watchdog })
    closers.onEnd(() => servers.stop())
  })
  after(() => closers.closeAll())

  for (const { group, scenario } of scenariosNamed('').filter(({ scenario }) => scenario.quick)) {
    it(`${scenario.fault}: ${scenario.hypothesis}`, async () => {
      const ran = await runScenario(group, scenario, { servers, folder, watchdog })
      const outcome = { ...ran, figures: ran.figures.map(untimed) }
      expect(verdictOf(outcome), tableOf([outcome]).join('\n')).to.equal('reached')
    })
  }
})

/** How long something took is judged by `make faults`; here it has to have come to an end. */
function untimed(figure: Figure): Figure {
  const { name, value, unit } = figure
  return unit === 'ms' || unit === 's' ? { name, value, unit, atMost: Number.MAX_VALUE } : figure
}

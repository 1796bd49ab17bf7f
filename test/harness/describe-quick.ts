// The quick scenarios of a bench as tests, on servers of their own: a regression shows before the whole bench is run.
import { expect } from 'chai'
import { startWatchdog } from '../../src/demo/watchdog.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { createClosers } from '../bench/closers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scenariosNamed } from './groups.ts'
import type { Groups } from './groups.ts'
import { runScenario } from './run-scenario.ts'
import { verdictOf } from './scenario.ts'
import type { Figure } from './scenario.ts'
import { startServers } from './servers.ts'
import type { Servers } from './servers.ts'
import { tableOf } from './table.ts'

export function describeQuick(subject: string, groups: Groups): void {
  describe(`${subject}s`, function () {
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

    const quick = scenariosNamed(groups, '').filter(({ scenario }) => scenario.quick)
    for (const { group, scenario } of quick) {
      it(`${scenario.fault}: ${scenario.hypothesis}`, async () => {
        const base = { servers, folder, watchdog, isQuick: true }
        const ran = await runScenario(group, scenario, base)
        const outcome = { ...ran, figures: ran.figures.map(untimed) }
        expect(verdictOf(outcome), tableOf([outcome]).join('\n')).to.equal('reached')
      })
    }
  })
}

/** How long something takes is judged by the whole bench; here it must only end. */
function untimed(figure: Figure): Figure {
  const { name, value, unit } = figure
  const isTimed = unit === 'ms' || unit === 's' || unit === 'x'
  return isTimed ? { name, value, unit, atMost: Number.MAX_VALUE } : figure
}

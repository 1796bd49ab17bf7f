// Quick scenarios of a bench as tests on the shared servers: they show regressions before the whole bench is run.
import { expect } from 'chai'
import { startWatchdog, type Watchdog } from '../../src/demo/watchdog.ts'
import { sharedCluster } from './cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'
import type { Figure } from './figures.ts'
import { runScenario } from './run-scenario.ts'
import { verdictOf, type Groups } from './scenario.ts'
import { serversOn, type Servers } from './servers.ts'
import { tableOf } from './table.ts'

export function describeQuick(subject: string, groups: Groups): void {
  describe(subject, () => {
    const folder = temporaryFolder()
    let watchdog: Watchdog
    let servers: Servers
    before(async () => {
      watchdog = startWatchdog()
      servers = await serversOn(await sharedCluster(), watchdog)
    })
    after(async () => {
      await servers?.stop()
      await watchdog.end()
    })

    const scenarios = Object.values(groups).flat()
    for (const scenario of scenarios.filter(({ quick }) => quick)) {
      it(`${scenario.name}: ${scenario.hypothesis}`, async () => {
        const ran = await runScenario(scenario, { servers, folder, watchdog, isQuick: true })
        const outcome = { ...ran, figures: ran.figures.map(untimed) }
        expect(verdictOf(outcome), tableOf([outcome]).join('\n')).to.equal('reached')
      })
    }
  })
}

/** Durations are checked by the whole bench; here the scenario must only end. */
function untimed(figure: Figure): Figure {
  const { name, value, unit } = figure
  const isTimed = unit === 'ms' || unit === 's' || unit === 'x'
  return isTimed ? { name, value, unit, atMost: Number.MAX_VALUE } : figure
}

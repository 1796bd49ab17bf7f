// Replicas that let nobody in any more: shutting down while old sessions go on, or full.
import { setTimeout as sleep } from 'node:timers/promises'
import { signalTo } from '../../src/demo/processes.ts'
import { askMany, cold, count, isOk, percent, startLoad, warm } from './load.ts'
import type { Scenario } from './scenario.ts'

export const smartStop: Scenario = {
  fault: 'F10',
  name: 'smart-stop',
  hypothesis:
    'A replica that takes no new sessions is not knocked at all the time; what is kept is served',
  async run(world) {
    const { one } = world.servers
    const proxy = await world.proxy(one)
    const gateway = await world.gateway({ replicas: [proxy.port], probes: [one.port] })
    await warm(gateway, 'ledger')
    if (one.server.pid !== undefined) signalTo(one.server.pid, 'SIGTERM')
    world.undo(() => one.server.stop('immediate'))
    await sleep(300)
    const before = proxy.connects
    const kept = startLoad(gateway, 30, at => ({ report: 'ledger', organization: 1 + (at % 20) }))
    const fresh = startLoad(gateway, 20, () => ({ report: 'others', cold: cold() }))
    await sleep(4000)
    const attempts = (proxy.connects - before) / 4
    await fresh.stop()
    return [
      {
        name: 'kept reports served',
        value: percent(await kept.stop(), isOk),
        unit: '%',
        exactly: 100,
      },
      { name: 'attempts to connect a second', value: attempts, atMost: 2 },
    ]
  },
}

export const exhausted: Scenario = {
  fault: 'F11',
  name: 'slots-exhausted',
  hypothesis:
    'Where the replica gives the role two sessions only, these serve on, and the rest is refused soon',
  async run(world) {
    const { servers } = world
    await servers.change('alter role svodka_reports connection limit 2')
    await servers.caughtUp()
    const gateway = await world.gateway()
    const answers = await askMany(gateway, 100, 8, () => ({ report: 'ledger', cold: cold() }))
    const refused = answers.filter(answer => !isOk(answer))
    return [
      { name: 'answers of 200', value: count(answers, isOk), atLeast: 25 },
      {
        name: 'slowest refusal',
        value: Math.max(0, ...refused.map(({ ms }) => ms)),
        unit: 'ms',
        atMost: 200,
      },
      { name: 'answers of 500', value: count(answers, ({ status }) => status === 500), exactly: 0 },
    ]
  },
}

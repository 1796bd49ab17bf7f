// How gateways come back to a replica that comes back.
import { setTimeout as sleep } from 'node:timers/promises'
import { cold, firstFresh, startLoad } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

const GATEWAYS = 8
const POOL = 8

export const storm: Scenario = {
  fault: 'F36',
  name: 'reconnect-storm',
  hypothesis: 'Eight gateways under load do not rush a replica that has just come back',
  async run(world) {
    const { one } = world.servers
    const proxy = await world.proxy(one)
    const place = {
      replicas: [proxy.port],
      probes: [one.port],
      settings: { REPORT_POOL_SIZE: String(POOL) },
    }
    const gateways = await Promise.all(Array.from({ length: GATEWAYS }, () => world.gateway(place)))
    const loads = gateways.map(gateway =>
      startLoad(gateway, 20, () => ({ report: 'others', cold: cold() })),
    )
    await sleep(300)
    await one.server.stop('fast')
    await sleep(1000)
    const away = proxy.connects
    await sleep(1000)
    const attempts = (proxy.connects - away) / GATEWAYS
    const starting = proxy.connects
    await one.server.start()
    const since = performance.now()
    const before = proxy.connects
    const rushing = sleep(1000).then(() => (proxy.connects - before) / GATEWAYS)
    const fresh = await Promise.all(gateways.map(gateway => firstFresh(gateway, since)))
    const rush = await rushing
    await Promise.all(loads.map(load => load.stop()))
    return [
      { name: 'attempts a second of each while it is away', value: attempts, atMost: 2 },
      { name: 'connections of each in the first second', value: rush, atMost: POOL / 2 },
      { name: 'attempts of all while it starts', value: before - starting },
      {
        name: 'last gateway with a fresh report',
        value: Math.max(...fresh),
        unit: 'ms',
        atMost: 2000,
      },
    ]
  },
}

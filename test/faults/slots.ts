// Replicas that let nobody in any more: shutting down while old sessions go on, or full.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../../src/demo/connection.ts'
import { eventually, signalTo } from '../../src/demo/processes.ts'
import {
  askMany,
  cold,
  firstFresh,
  isOk,
  loadFor,
  percent,
  startLoad,
  warm,
} from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'

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
    'Where the replica gives the role two sessions only, these serve all, and it is not knocked at all the time',
  async run(world) {
    const { servers } = world
    await servers.change('alter role svodka_reports connection limit 2')
    await servers.caughtUp()
    const proxy = await world.proxy(servers.one)
    const gateway = await world.gateway({ replicas: [proxy.port], probes: [servers.one.port] })
    const before = proxy.connects
    const answers = await askMany(gateway, 200, 16, () => ({ report: 'ledger', cold: cold() }))
    return [
      { name: 'answers of 200', value: percent(answers, isOk), unit: '%', exactly: 100 },
      { name: 'attempts to connect', value: proxy.connects - before, atMost: 10 },
    ]
  },
}

export const oneOfTwoFull: Scenario = {
  fault: 'F11',
  name: 'one-of-two-full',
  hypothesis:
    'When one of two replicas has no session left for the role, nobody notices, and it is not knocked at all the time',
  async run(world) {
    const { servers } = world
    const { one } = servers
    const two = await servers.two()
    const proxy = await world.proxy(one)
    const gateway = await world.gateway({
      replicas: [proxy.port, two.port],
      probes: [one.port, two.port],
    })
    await askMany(gateway, 20, 8, () => ({ report: 'ledger', cold: cold() }))
    // why: the limit is the primary's, and reaches one of them alone
    await two.ask('select pg_wal_replay_pause()')
    await servers.change('alter role svodka_reports connection limit 0')
    const limit = "select rolconnlimit from pg_roles where rolname = 'svodka_reports'"
    await eventually(async () => (await one.ask(limit)) === '0', 10_000)
    proxy.reset()
    const before = proxy.connects
    const answers = await loadFor(gateway, 4, 50, () => ({ report: 'ledger', cold: cold() }))
    return [
      { name: 'answers of 200', value: percent(answers, isOk), unit: '%', exactly: 100 },
      { name: 'attempts to connect a second', value: (proxy.connects - before) / 4, atMost: 4 },
    ]
  },
}

export const dropped: Scenario = {
  fault: 'F07',
  name: 'database-dropped',
  hypothesis: 'A database that is dropped is not knocked at all the time; what is kept is served',
  async run(world) {
    const { servers } = world
    const primaryUrl = servers.url('postgres', servers.primary.port)
    const doomed = (url: string): string =>
      Object.assign(new URL(url), { pathname: '/doomed' }).href
    const make = async (): Promise<void> => {
      await servers.change('create database doomed')
      const files = ['schema.sql', 'grants.sql'].map(name =>
        readFileSync(`${PRODUCT}/${name}`, 'utf8'),
      )
      await withClient(doomed(primaryUrl), client => client.query(files.join(';\n')))
      await servers.caughtUp()
    }
    await make()
    world.undo(() => servers.change('drop database if exists doomed with (force)'))
    const proxy = await world.proxy(servers.one)
    const gateway = await world.gateway({
      probes: [servers.one.port],
      settings: { DATABASE_URL: doomed(servers.url('svodka_reports', proxy.port)) },
    })
    await warm(gateway, 'ledger')
    await servers.change('drop database doomed with (force)')
    await servers.caughtUp()
    await sleep(500)
    const before = proxy.connects
    const kept = loadFor(gateway, 4, 30, at => ({ report: 'ledger', organization: 1 + (at % 20) }))
    const fresh = await loadFor(gateway, 4, 20, () => ({ report: 'others', cold: cold() }))
    const attempts = (proxy.connects - before) / 4
    await make()
    const freshMs = await firstFresh(gateway, performance.now())
    return [
      { name: 'kept reports served', value: percent(await kept, isOk), unit: '%', exactly: 100 },
      {
        name: 'new ones told replica_unavailable',
        value: percent(fresh, ({ code }) => code === 'replica_unavailable'),
        unit: '%',
        exactly: 100,
      },
      { name: 'attempts to connect a second', value: attempts, atMost: 1 },
      { name: 'first fresh once it is there again', value: freshMs, unit: 'ms', atMost: 6500 },
    ]
  },
}

// Replicas that refuse new sessions: in smart shutdown, full, or without the database.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../../src/demo/connection.ts'
import { eventually, signalTo } from '../../src/demo/processes.ts'
import { all, atMost } from '../harness/figures.ts'
import * as load from '../harness/load.ts'
import { fresh, hasCode, isOk } from '../harness/load.ts'
import type { Proxy } from '../harness/proxy.ts'
import type { Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'

const KNOCKS = 'attempts to connect a second'

/** @param work takes 4 s @returns its result, and how many connections a second were attempted through the proxy */
async function knocks<T>(proxy: Proxy, work: Promise<T>): Promise<readonly [T, number]> {
  const before = proxy.connects
  const done = await work
  return [done, (proxy.connects - before) / 4]
}

export const slots: readonly Scenario[] = [
  {
    name: 'F10 smart-stop',
    hypothesis:
      'A replica that refuses new sessions gets few attempts to connect; cached reports are served',
    async run(stage) {
      const { server } = stage.servers.one
      const { gateway, proxy } = await stage.behindProxy()
      await gateway.warm('ledger')
      if (server.pid !== undefined) signalTo(server.pid, 'SIGTERM')
      stage.undo(() => server.stop('immediate'))
      await sleep(300)
      const uncached = gateway.startLoad(20, fresh('others'))
      const cached = gateway.loadFor(4, 30, load.ofEach('ledger'))
      const [served, attempts] = await knocks(proxy, cached)
      await uncached.stop()
      return [all('cached reports served', served, isOk), atMost(KNOCKS, attempts, 2)]
    },
  },
  {
    name: 'F11 one-of-two-full',
    hypothesis:
      'If one of two replicas refuses sessions of the role, no request fails, and it gets few attempts to connect',
    async run(stage) {
      const { servers } = stage
      const { one } = servers
      const two = await servers.two()
      const proxy = await stage.proxy(one)
      const ports = { replicas: [proxy.port, two.port], probes: [one.port, two.port] }
      const gateway = await stage.gateway({}, ports)
      await gateway.askMany(20, 8, fresh('ledger'))
      // why: the limit is set on the primary, and replayed by one of them only
      await two.ask('select pg_wal_replay_pause()')
      await servers.change('alter role svodka_reports connection limit 0')
      const limit = "select rolconnlimit from pg_roles where rolname = 'svodka_reports'"
      await eventually(async () => (await one.ask(limit)) === '0', 10_000)
      proxy.reset()
      const work = gateway.loadFor(4, 50, fresh('ledger'))
      const [responses, attempts] = await knocks(proxy, work)
      return [all('answered', responses, isOk), atMost(KNOCKS, attempts, 4)]
    },
  },
  {
    name: 'F07 database-dropped',
    hypothesis: 'A dropped database gets few attempts to connect; cached reports are served',
    async run(stage) {
      const { one, primary, change, changeAll, caughtUp, url } = stage.servers
      const doomed = (whole: string): string =>
        Object.assign(new URL(whole), { pathname: '/doomed' }).href
      const files = ['schema.sql', 'grants.sql'].map(name => `${PRODUCT}/${name}`)
      const make = async (): Promise<void> => {
        await change('create database doomed')
        const sql = files.map(file => readFileSync(file, 'utf8')).join(';\n')
        await withClient(doomed(url('postgres', primary.port)), client => client.query(sql))
        await caughtUp()
      }
      await make()
      stage.undo(() => change('drop database if exists doomed with (force)'))
      const proxy = await stage.proxy(one)
      const settings = { DATABASE_URL: doomed(url('svodka_reports', proxy.port)) }
      const gateway = await stage.gateway(settings, { probes: [one.port] })
      await gateway.warm('ledger')
      await changeAll('drop database doomed with (force)')
      await sleep(500)
      const cached = gateway.loadFor(4, 30, load.ofEach('ledger'))
      const [uncached, attempts] = await knocks(proxy, gateway.loadFor(4, 20, fresh('others')))
      await make()
      const freshMs = await gateway.firstFresh(performance.now())
      return [
        all('cached reports served', await cached, isOk),
        all('new ones: replica_unavailable', uncached, hasCode('replica_unavailable')),
        atMost(KNOCKS, attempts, 2),
        atMost('first execution once it exists again', freshMs, 6500, 'ms'),
      ]
    },
  },
]

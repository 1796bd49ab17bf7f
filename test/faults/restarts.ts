// Replicas that crash, restart, are unavailable or become a primary.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, signalTo } from '../../src/demo/processes.ts'
import { startEntries } from '../harness/entries.ts'
import { all, atMost, exactly, holds, none, percent, said } from '../harness/figures.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'
import * as load from '../harness/load.ts'
import { count, fresh, isMarkedStale, isOk, p99 } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Node } from '../harness/servers.ts'

const HOSTILE = ['scribbles', 'opens_session', 'scribbles', 'opens_transaction']

/** Uses every connection of the pool: eight at a time, in mixed order. @returns the number of writes with a 200. */
async function attack(gateway: Gateway): Promise<number> {
  const make = (at: number) => fresh(HOSTILE[at % HOSTILE.length] ?? '')()
  const responses = await gateway.askMany(48, 8, make)
  return count(responses, ({ status, report }) => status === 200 && report !== 'opens_session')
}

const promote = (node: Node): Promise<unknown> => node.ask('select pg_promote(true)')

/** Number of reads of the ledger on the server. */
async function readsOn(node: Node): Promise<number> {
  await sleep(1100)
  return Number(
    await node.ask(`select coalesce(idx_scan, 0) + seq_scan
      from pg_stat_user_tables where relname = 'ledger'`),
  )
}

const SLEEPERS = `select count(*) from pg_stat_activity
  where application_name = 'svodka reports' and wait_event = 'PgSleep'`
const BACKEND = "select pid from pg_stat_activity where application_name = 'svodka reports' limit 1"
const KILLS = 20
const GATEWAYS = 8
const POOL = 8

export const restarts: readonly Scenario[] = [
  {
    name: 'F12 promotion',
    hypothesis:
      'A hostile definition writes nothing, before and after a promotion of its standby, on old and new sessions, even with ALLOW_PRIMARY',
    async run(stage) {
      const { one } = stage.servers
      for (const report of HOSTILE) stage.faulty.add(report)
      const careful = await stage.gateway()
      const daring = await stage.gateway({ ALLOW_PRIMARY: 'true' })
      await careful.ask({ report: 'ledger' })
      await startEntries(stage)
      const before = (await attack(careful)) + (await attack(daring))
      const reads = careful.startLoad(50, fresh('entries'))
      await promote(one)
      const promotedAt = performance.now()
      const after = (await attack(daring)) + (await attack(careful))
      await sleep(2500)
      const served = (await reads.stop()).filter(isOk)
      const last = Math.max(0, ...served.map(({ startedAt }) => startedAt - promotedAt))
      const stale = await careful.ask({ report: 'ledger' })
      await attack(careful)
      return [
        exactly('rows written', Number(await one.ask('select count(*) from audit')), 0),
        exactly('writes with response 200', before + after, 0),
        atMost('last report from the writable server', last, 1300, 'ms'),
        holds('a cached report is still served, marked', isMarkedStale(stale)),
        exactly('ready, with cached responses', await careful.readyStatus(), 200),
      ]
    },
  },
  {
    name: 'F12 one-of-two-promoted',
    hypothesis:
      'If one of two replicas is promoted, it is not used after the next probe, and no request fails',
    async run(stage) {
      const { one, two, change } = stage.servers
      const gateway = await stage.gateway({}, { replicas: [one.port, (await two()).port] })
      const reads = gateway.startLoad(50, load.mixed(fresh('ledger'), load.entries))
      await startEntries(stage)
      await sleep(500)
      await promote(one)
      await change("insert into audit values ('only the primary has this')")
      stage.undo(() => change('delete from audit'))
      await sleep(2500)
      const responses = await reads.stop()
      const before = await readsOn(one)
      await gateway.askMany(50, 4, fresh('ledger'))
      return [
        none('responses other than 200', responses, response => !isOk(response)),
        exactly('reads of the promoted one afterwards', (await readsOn(one)) - before, 0),
      ]
    },
  },
  {
    name: 'F09 killed-backends',
    hypothesis:
      'Backends get SIGKILL under load, which crashes the replica each time: no 500, no torn response, cached reports served',
    async run(stage) {
      const { one } = stage.servers
      const gateway = await stage.gateway()
      await gateway.warm('ledger')
      const both = load.mixed(load.ofEach('ledger'), load.freshOfEach('others'))
      const reads = gateway.startLoad(50, both)
      for (let kills = 0; kills < KILLS; kills += 1) {
        let pid = 0
        await eventually(async () => {
          pid = Number(await one.ask(BACKEND).catch(() => 0))
          return pid > 0
        }, 5000)
        if (pid === 0) throw new Error(`no backend to kill after ${kills}`)
        signalTo(pid, 'SIGKILL')
        await sleep(200)
        await eventually(() => one.ask('select 1').then(Boolean, () => false), 10_000)
        await sleep(100)
      }
      const responses = await reads.stop()
      const of = (name: string) => responses.filter(({ report }) => report === name)
      return [
        none('responses 500', responses, ({ status }) => status === 500),
        all('cached reports served', of('ledger'), isOk),
        none('responses over 2 s', responses, ({ ms }) => ms > 2000),
        said('new reports answered', percent(of('others'), isOk), '%'),
      ]
    },
  },
  {
    name: 'F08 fast-stop',
    hypothesis:
      'A replica restarts: cached reports are served, others get 503 at once, and the first fresh one arrives within a second',
    async run(stage) {
      const { one } = stage.servers
      const gateway = await stage.gateway()
      await gateway.warm('ledger')
      const cached = gateway.startLoad(50, load.ofEach('ledger'))
      const uncached = gateway.startLoad(30, fresh('others'))
      await sleep(300)
      const held = [1, 2, 3, 4].map(organization => gateway.ask(fresh('sleeping', organization)()))
      await eventually(async () => (await one.ask(SLEEPERS)) === '4', 5000, 5)
      const stoppedAt = performance.now()
      await one.server.stop('fast')
      const ended = await Promise.all(held)
      await sleep(2000)
      await one.server.start()
      const freshMs = await gateway.firstFresh(performance.now())
      const [warm, cold] = [await cached.stop(), await uncached.stop()]
      const refused = cold.filter(response => !isOk(response))
      const endedAfter = Math.max(...ended.map(({ startedAt, ms }) => startedAt + ms - stoppedAt))
      return [
        all('cached reports served', warm, isOk),
        atMost('executions that the stop ended, 503 after', endedAfter, 100, 'ms'),
        atMost('p99 of 503s', p99(refused), 100, 'ms'),
        none('responses over 2 s', [...warm, ...cold], ({ ms }) => ms > 2000),
        atMost('first execution after it accepts', freshMs, 1000, 'ms'),
      ]
    },
  },
  {
    name: 'F08 one-of-two-restarts',
    hypothesis: 'If one of two replicas is restarted, no request fails',
    async run(stage) {
      const { one, two } = stage.servers
      const gateway = await stage.gateway({}, { replicas: [one.port, (await two()).port] })
      await startEntries(stage)
      const reads = gateway.startLoad(60, load.mixed(load.entries, fresh('others')))
      await sleep(500)
      await one.server.stop('fast')
      await sleep(1500)
      await one.server.start()
      await sleep(1500)
      const responses = await reads.stop()
      return [
        none('responses other than 200', responses, response => !isOk(response)),
        atMost('slowest', load.slowest(responses), 2000, 'ms'),
      ]
    },
  },
  {
    name: 'F36 reconnect-storm',
    hypothesis: 'Eight gateways under load do not rush a replica that has just come back',
    async run(stage) {
      const { one } = stage.servers
      const proxy = await stage.proxy(one)
      const ports = { replicas: [proxy.port], probes: [one.port] }
      const settings = { REPORT_POOL_SIZE: String(POOL) }
      const gateways = await Promise.all(
        Array.from({ length: GATEWAYS }, () => stage.gateway(settings, ports)),
      )
      const loads = gateways.map(gateway => gateway.startLoad(20, fresh('others')))
      await sleep(300)
      await one.server.stop('fast')
      await sleep(1000)
      const away = proxy.connects
      await sleep(1000)
      const starting = proxy.connects
      await one.server.start()
      const since = performance.now()
      const before = proxy.connects
      const rushing = sleep(1000).then(() => (proxy.connects - before) / GATEWAYS)
      const firsts = await Promise.all(gateways.map(gateway => gateway.firstFresh(since)))
      const rush = await rushing
      await Promise.all(loads.map(each => each.stop()))
      return [
        atMost('attempts of each gateway a second while down', (starting - away) / GATEWAYS, 2),
        atMost('connections of each gateway in the first second', rush, POOL + 1),
        said('attempts of all while it starts', before - starting),
        atMost('last gateway with a fresh report', Math.max(...firsts), 2000, 'ms'),
      ]
    },
  },
]

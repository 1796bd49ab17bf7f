// Keys that are revoked, and roles that lose what they may.
import { setTimeout as sleep } from 'node:timers/promises'
import { signalTo } from '../../src/demo/processes.ts'
import type { Recorded } from '../harness/client.ts'
import { all, atLeast, atMost, holds, none } from '../harness/figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import { cold, count, fresh, hasCode, isOk, ofEach } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'

const REVOKED = 7
const BACKEND = "select pid from pg_stat_activity where application_name = 'svodka reports' limit 1"

async function revoke({ servers, undo }: Stage): Promise<void> {
  undo(() => servers.change('update keys set revoked = false'))
  await servers.change(`update keys set revoked = true where organization_id = ${REVOKED}`)
}

/** 1,000 requests that begin now: cached reports, new ones, and the key alone. */
function thousand(gateway: Gateway): Promise<Recorded[]> {
  const reports = ['ping', 'ledger', 'others', 'ledger']
  return gateway.askMany(1000, 50, at => ({
    report: reports[at % 4] ?? '',
    organization: REVOKED,
    ...(at % 4 === 2 && { cold: cold() }),
  }))
}

const isAccepted = ({ status }: Recorded): boolean => status === 200 || status === 304

export const keys: readonly Scenario[] = [
  {
    name: 'F45 revoked-at-the-primary',
    hypothesis:
      'With keys at the primary, a revocation holds from its commit, however far the replica is behind',
    async run(stage) {
      const gateway = await stage.gateway()
      await gateway.warm('ledger')
      const before = await thousand(gateway)
      await stage.servers.one.ask('select pg_wal_replay_pause()')
      await revoke(stage)
      const after = await thousand(gateway)
      return [
        all('accepted before', before, isAccepted),
        none('accepted afterwards', after, isAccepted),
        all('told that the key is not valid', after, hasCode('api_key_invalid')),
      ]
    },
  },
  {
    name: 'F45 revoked-at-a-replica',
    hypothesis: 'With keys at a replica, a revocation holds once that replica shows it',
    async run(stage) {
      const gateway = await stage.gateway({}, { keys: stage.servers.one.port })
      await gateway.warm('ledger')
      await revoke(stage)
      await stage.servers.caughtUp()
      return [none('accepted afterwards', await thousand(gateway), isAccepted)]
    },
  },
  {
    name: 'F45 revoked-behind-a-lag',
    hypothesis:
      'A replica further behind than KEYS_MAX_LAG is not asked about keys: 503, and no revoked key is let in',
    async run(stage) {
      const { one } = stage.servers
      const gateway = await stage.gateway({ KEYS_MAX_LAG: '2s' }, { keys: one.port })
      await gateway.warm('ledger')
      await one.ask('select pg_wal_replay_pause()')
      await revoke(stage)
      await sleep(3500)
      const responses = await thousand(gateway)
      return [
        none('accepted beyond the bound', responses, isAccepted),
        all('access_unavailable', responses, hasCode('access_unavailable')),
      ]
    },
  },
  {
    name: 'F09 revoked-before-a-crash',
    hypothesis:
      'A standby that crashes comes back with older data: no key is let in that it showed as revoked before',
    async run(stage) {
      const { one, primary, change, caughtUp } = stage.servers
      const gateway = await stage.gateway({ KEYS_MAX_LAG: '3s' }, { keys: one.port })
      const ask = { report: 'ledger', organization: REVOKED }
      const before = await gateway.ask(ask)
      // why: it is from here that the crash has it replay again
      await primary.ask('checkpoint')
      await caughtUp()
      await one.ask('checkpoint')
      await change('create table bulk (n int, filling text)')
      stage.undo(() => change('drop table bulk'))
      const bulk =
        "insert into bulk select n, repeat('x', 200) from generate_series(1, 100000) as n"
      await change(bulk, bulk, bulk, bulk)
      await revoke(stage)
      await caughtUp()
      // why: older than KEYS_MAX_LAG, so that nobody may be let in by what was shown before it
      await sleep(4000)
      const told = await gateway.ask(ask)
      const load = gateway.startLoad(100, () => ask)
      signalTo(Number(await one.ask(BACKEND)), 'SIGKILL')
      await sleep(5000)
      const responses = await load.stop()
      return [
        holds('let in before', isOk(before)),
        holds('refused once it shows the revocation', !isOk(told)),
        none('let in after the crash', responses, isOk),
        atLeast('access_unavailable', count(responses, hasCode('access_unavailable')), 1),
      ]
    },
  },
  {
    name: 'F24 credentials-broken',
    hypothesis:
      'A role that may not log in any more makes 503 of what is new, and cached reports go on',
    async run(stage) {
      const { gateway, proxy } = await stage.behindProxy()
      await gateway.warm('ledger')
      await stage.servers.changeAll('alter role svodka_reports nologin')
      proxy.reset()
      const cached = await gateway.askMany(100, 8, ofEach('ledger'))
      const anew = await gateway.askMany(100, 8, fresh('others'))
      return [
        all('cached reports served', cached, isOk),
        all('new ones told replica_unavailable', anew, hasCode('replica_unavailable')),
      ]
    },
  },
  {
    name: 'F24 grant-lost',
    hypothesis:
      'A table that the role may not read any more breaks the reports that read it and no others, and does not hammer the replica',
    async run(stage) {
      stage.faulty.add('others')
      const gateway = await stage.gateway()
      await stage.servers.changeAll('revoke select on others from svodka_reports')
      const broken = gateway.loadFor(2, 50, () => ({ report: 'others' }))
      const rest = await gateway.loadFor(2, 50, fresh('ledger'))
      const runs = await gateway.executionsOf('others')
      return [
        all('broken report told so', await broken, ({ status }) => status === 500),
        atMost('its runs in 2 s of 100 requests', runs, 3),
        all('other reports answered', rest, isOk),
      ]
    },
  },
]

// Keys that are revoked, and roles that lose what they may.
import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../harness/exposition.ts'
import { goesBack } from './goes-back.ts'
import { askMany, cold, count, isOk, loadFor, percent, warm } from '../harness/load.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Recorded } from '../harness/recorder.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'

const REVOKED = 7

async function revoke(world: World): Promise<void> {
  const { servers } = world
  await servers.change(`update keys set revoked = true where organization_id = ${REVOKED}`)
  world.undo(() => servers.change('update keys set revoked = false'))
}

/** 1,000 requests that begin now: kept reports, new ones, and the key alone. */
function thousand(gateway: Gateway): Promise<Recorded[]> {
  const reports = ['ping', 'ledger', 'others', 'ledger']
  return askMany(gateway, 1000, 50, at => ({
    report: reports[at % reports.length] ?? 'ping',
    organization: REVOKED,
    ...(at % 4 === 2 && { cold: cold() }),
  }))
}

function accepted(answers: readonly Recorded[]): number {
  return count(answers, ({ status }) => status === 200 || status === 304)
}

const atPrimary: Scenario = {
  fault: 'F45',
  name: 'revoked-at-the-primary',
  hypothesis:
    'With keys at the primary, a revocation holds from its commit, however far the replica is behind',
  quick: true,
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway()
    await warm(gateway, 'ledger')
    const ok = accepted(await thousand(gateway))
    await one.ask('select pg_wal_replay_pause()')
    await revoke(world)
    const answers = await thousand(gateway)
    return [
      { name: 'accepted before', value: ok, exactly: 1000 },
      { name: 'accepted afterwards', value: accepted(answers), exactly: 0 },
      {
        name: 'told that the key is not valid',
        value: count(answers, ({ code }) => code === 'api_key_invalid'),
        exactly: 1000,
      },
    ]
  },
}

const atReplica: Scenario = {
  fault: 'F45',
  name: 'revoked-at-a-replica',
  hypothesis: 'With keys at a replica, a revocation holds once that replica shows it',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway({ keys: one.port })
    await warm(gateway, 'ledger')
    await revoke(world)
    await world.servers.caughtUp()
    return [{ name: 'accepted afterwards', value: accepted(await thousand(gateway)), exactly: 0 }]
  },
}

const behind: Scenario = {
  fault: 'F45',
  name: 'revoked-behind-a-lag',
  hypothesis:
    'A replica further behind than KEYS_MAX_LAG is not asked about keys: 503, and no revoked key is let in',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway({ keys: one.port, settings: { KEYS_MAX_LAG: '2s' } })
    await warm(gateway, 'ledger')
    await one.ask('select pg_wal_replay_pause()')
    await revoke(world)
    await sleep(3500)
    const answers = await thousand(gateway)
    return [
      { name: 'accepted beyond the bound', value: accepted(answers), exactly: 0 },
      {
        name: 'access_unavailable',
        value: count(answers, ({ code }) => code === 'access_unavailable'),
        exactly: 1000,
      },
    ]
  },
}

const nologin: Scenario = {
  fault: 'F24',
  name: 'credentials-broken',
  hypothesis:
    'A role that may not log in any more makes 503 of what is new, and kept reports go on',
  async run(world) {
    const { servers } = world
    const proxy = await world.proxy(servers.one)
    const gateway = await world.gateway({ replicas: [proxy.port], probes: [servers.one.port] })
    await warm(gateway, 'ledger')
    await servers.change('alter role svodka_reports nologin')
    await servers.caughtUp()
    proxy.reset()
    const kept = await askMany(gateway, 100, 8, at => ({
      report: 'ledger',
      organization: 1 + (at % 20),
    }))
    const fresh = await askMany(gateway, 100, 8, () => ({ report: 'others', cold: cold() }))
    const unavailable = ({ code }: Recorded): boolean => code === 'replica_unavailable'
    return [
      { name: 'kept reports served', value: percent(kept, isOk), unit: '%', exactly: 100 },
      {
        name: 'new ones told replica_unavailable',
        value: percent(fresh, unavailable),
        unit: '%',
        exactly: 100,
      },
    ]
  },
}

const grantLost: Scenario = {
  fault: 'F24',
  name: 'grant-lost',
  hypothesis:
    'A table that the role may not read any more breaks the reports that read it and no others, and does not hammer the replica',
  async run(world) {
    const { servers } = world
    world.faulty.add('others')
    const gateway = await world.gateway()
    await servers.change('revoke select on others from svodka_reports')
    await servers.caughtUp()
    const broken = loadFor(gateway, 2, 50, () => ({ report: 'others' }))
    const rest = await loadFor(gateway, 2, 50, () => ({ report: 'ledger', cold: cold() }))
    const answers = await broken
    const runs = sumOf(await gateway.metrics(), 'svodka_runs_total', { definition: 'others' })
    return [
      {
        name: 'broken report told so',
        value: percent(answers, ({ status }) => status === 500),
        unit: '%',
        exactly: 100,
      },
      { name: 'its runs in 2 s of 100 requests', value: runs, atMost: 3 },
      { name: 'other reports answered', value: percent(rest, isOk), unit: '%', exactly: 100 },
    ]
  },
}

export const keys: readonly Scenario[] = [
  atPrimary,
  atReplica,
  behind,
  goesBack,
  nologin,
  grantLost,
]

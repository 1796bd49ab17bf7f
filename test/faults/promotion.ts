// A standby that becomes a primary while it is asked.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  askMany,
  cold,
  count,
  entriesAnew,
  isMarkedStale,
  isOk,
  startLoad,
} from '../harness/load.ts'
import { startEntries } from '../harness/entries.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Node } from '../harness/servers.ts'

const HOSTILE = ['scribbles', 'opens_session', 'scribbles', 'opens_transaction']

/** Every connection of the pool is tried: eight at a time, in an order that mixes them. */
async function attack(gateway: Gateway): Promise<number> {
  const answers = await askMany(gateway, 48, 8, at => ({
    report: HOSTILE[at % HOSTILE.length] ?? '',
    cold: cold(),
  }))
  return count(answers, ({ status, report }) => status === 200 && report !== 'opens_session')
}

async function promote(node: Node): Promise<void> {
  await node.ask('select pg_promote(true)')
}

export const promotion: Scenario = {
  fault: 'F12',
  name: 'promotion',
  hypothesis:
    'A hostile definition writes nothing, before its standby is promoted and after, on old sessions and new ones, even where a primary is let in',
  async run(world) {
    const { one } = world.servers
    for (const report of HOSTILE) world.faulty.add(report)
    const careful = await world.gateway()
    const daring = await world.gateway({ settings: { ALLOW_PRIMARY: 'true' } })
    await careful.ask({ report: 'ledger' })
    await startEntries(world)
    const before = (await attack(careful)) + (await attack(daring))
    const load = startLoad(careful, 50, () => ({ report: 'entries', cold: cold() }))
    await promote(one)
    const promotedAt = performance.now()
    const after = (await attack(daring)) + (await attack(careful))
    await sleep(2500)
    const served = (await load.stop()).filter(isOk)
    const last = Math.max(0, ...served.map(({ startedAt }) => startedAt - promotedAt))
    const stale = await careful.ask({ report: 'ledger' })
    await attack(careful)
    const rows = Number(await one.ask('select count(*) from audit'))
    return [
      { name: 'rows written', value: rows, exactly: 0 },
      { name: 'writes that were answered 200', value: before + after, exactly: 0 },
      { name: 'last report from the writable server', value: last, unit: 'ms', atMost: 1300 },
      {
        name: 'a kept report is still served, marked',
        value: Number(isMarkedStale(stale)),
        exactly: 1,
      },
      { name: 'ready, with what is kept', value: await careful.readyStatus(), exactly: 200 },
    ]
  },
}

export const oneOfTwoPromoted: Scenario = {
  fault: 'F12',
  name: 'one-of-two-promoted',
  hypothesis:
    'When one of two replicas is promoted, it leaves the rotation within a probe, and nobody notices',
  async run(world) {
    const { one } = world.servers
    const second = await world.servers.two()
    const gateway = await world.gateway({ replicas: [one.port, second.port] })
    const load = startLoad(gateway, 50, at =>
      at % 2 === 0 ? { report: 'ledger', cold: cold() } : entriesAnew((at - 1) / 2),
    )
    await startEntries(world)
    await sleep(500)
    await promote(one)
    await world.servers.primary.ask(
      "insert into audit values ('only the primary has this') returning 1",
    )
    world.undo(() => world.servers.change('delete from audit'))
    await sleep(2500)
    const answers = await load.stop()
    const runsBefore = await runsOn(one)
    await askMany(gateway, 50, 4, () => ({ report: 'ledger', cold: cold() }))
    return [
      {
        name: 'answers other than 200',
        value: count(answers, answer => !isOk(answer)),
        exactly: 0,
      },
      {
        name: 'reads of the promoted one afterwards',
        value: (await runsOn(one)) - runsBefore,
        exactly: 0,
      },
    ]
  },
}

/** Rows of the ledger that were ever read there. */
async function runsOn(node: Node): Promise<number> {
  await sleep(1100)
  const sql =
    "select coalesce(idx_scan, 0) + seq_scan from pg_stat_user_tables where relname = 'ledger'"
  return Number(await node.ask(sql))
}

// A standby that crashes, and shows for a while what it had shown long before.
import { setTimeout as sleep } from 'node:timers/promises'
import { signalTo } from '../../src/demo/processes.ts'
import { count, isOk, startLoad } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

const REVOKED = 7
const BACKEND = "select pid from pg_stat_activity where application_name = 'svodka reports' limit 1"

export const goesBack: Scenario = {
  fault: 'F09',
  name: 'revoked-before-a-crash',
  hypothesis:
    'A standby that crashes comes back with older data: no key is let in that it showed as revoked before',
  async run(world) {
    const { one, primary } = world.servers
    const gateway = await world.gateway({ keys: one.port, settings: { KEYS_MAX_LAG: '3s' } })
    const ask = { report: 'ledger', organization: REVOKED }
    const before = await gateway.ask(ask)
    // why: it is from here that the crash has it replay again
    await primary.ask('checkpoint')
    await world.servers.caughtUp()
    await one.ask('checkpoint')
    await world.servers.change('create table bulk (n int, filling text)')
    world.undo(() => world.servers.change('drop table bulk; update keys set revoked = false'))
    for (let round = 0; round < 4; round += 1) {
      await world.servers.change(
        "insert into bulk select n, repeat('x', 200) from generate_series(1, 100000) as n",
      )
    }
    await world.servers.change(`update keys set revoked = true where organization_id = ${REVOKED}`)
    await world.servers.caughtUp()
    // why: older than KEYS_MAX_LAG, so that nobody may be let in by what was shown before it
    await sleep(4000)
    const told = await gateway.ask(ask)
    const load = startLoad(gateway, 100, () => ask)
    signalTo(Number(await one.ask(BACKEND)), 'SIGKILL')
    await sleep(5000)
    const answers = await load.stop()
    return [
      { name: 'let in before', value: Number(isOk(before)), exactly: 1 },
      { name: 'let in once it shows the revocation', value: Number(isOk(told)), exactly: 0 },
      { name: 'let in after the crash', value: count(answers, isOk), exactly: 0 },
      {
        name: 'told that nobody can tell',
        value: count(answers, ({ code }) => code === 'access_unavailable'),
        atLeast: 1,
      },
    ]
  },
}

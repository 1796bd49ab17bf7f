// Revoked keys, and roles that lose privileges.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, signalTo } from '../../src/demo/processes.ts'
import { atLeast, holds, none } from '../harness/figures.ts'
import { count, hasCode, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'

const REVOKED = 7
const BACKEND = "select pid from pg_stat_activity where application_name = 'svodka reports' limit 1"

export const keys: readonly Scenario[] = [
  {
    name: 'F09 keys-known-to-be-down',
    hypothesis:
      'Without requests, /readyz and metrics show within seconds that the key database is down, and that it is back',
    quick: true,
    async run(stage) {
      const { one } = stage.servers
      // why: the lag of a server that stopped would exceed a short limit
      const gateway = await stage.gateway({ KEYS_MAX_LAG: '60s' }, { keys: one.port })
      const shows = (line: string, usable: number): Promise<boolean> =>
        eventually(async () => {
          const response = await fetch(`${gateway.opsUrl}/readyz?verbose`)
          const found = await gateway.total('svodka_key_database_usable', {
            database: `127.0.0.1:${one.port}`,
          })
          return (await response.text()).includes(`]keys ${line}\n`) && found === usable
        }, 8000)
      const before = await shows('ok', 1)
      await one.server.stop('immediate')
      const down = await shows('degraded: no key database is available', 0)
      await one.server.start()
      return [
        holds('usable before', before),
        holds('down after the crash', down),
        holds('usable after the restart', await shows('ok', 1)),
      ]
    },
  },
  {
    name: 'F09 revoked-before-a-crash',
    hypothesis:
      'A standby restarts after a crash with older data: no key is accepted that was revoked before',
    async run(stage) {
      const { one, primary, change, caughtUp } = stage.servers
      const gateway = await stage.gateway({ KEYS_MAX_LAG: '3s' }, { keys: one.port })
      const ask = { report: 'ledger', organization: REVOKED }
      const before = await gateway.ask(ask)
      // why: after the crash, replay begins here
      await primary.ask('checkpoint')
      await caughtUp()
      await one.ask('checkpoint')
      await change('create table bulk (n int, filling text)')
      stage.undo(() => change('drop table bulk', 'update keys set revoked = false'))
      const bulk =
        "insert into bulk select n, repeat('x', 200) from generate_series(1, 100000) as n"
      await change(bulk, bulk, bulk, bulk)
      await change(`update keys set revoked = true where organization_id = ${REVOKED}`)
      await caughtUp()
      // why: older than KEYS_MAX_LAG, so that look-ups on this state are not valid
      await sleep(4000)
      const told = await gateway.ask(ask)
      const load = gateway.startLoad(100, () => ask)
      signalTo(Number(await one.ask(BACKEND)), 'SIGKILL')
      await sleep(5000)
      const responses = await load.stop()
      return [
        holds('accepted before', isOk(before)),
        holds('rejected once the revocation is replayed', !isOk(told)),
        none('accepted after the crash', responses, isOk),
        atLeast('access_unavailable', count(responses, hasCode('access_unavailable')), 1),
      ]
    },
  },
]

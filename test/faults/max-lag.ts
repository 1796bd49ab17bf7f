// Lag beyond the `maxLag` of a report.
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEntries } from '../harness/entries.ts'
import { all, atMost, none } from '../harness/figures.ts'
import { entries, fresh, isMarkedStale, isOk, ofEach } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'
import type { Stage } from '../harness/stage.ts'
import { startBeats } from './beats.ts'

/** The product's definitions, with a report `current` that requires data of the last two seconds. */
function withMaxLag({ folder }: Stage): Record<string, string> {
  const SQL_DIR = mkdtempSync(join(folder, 'definitions-'))
  cpSync(`${PRODUCT}/sql`, SQL_DIR, { recursive: true })
  const sql = readFileSync(`${SQL_DIR}/reports/faults/entries.sql`, 'utf8')
  const current = sql.replace(/^stale: .*$/m, '$&\nmaxLag: 2s')
  writeFileSync(`${SQL_DIR}/reports/faults/current.sql`, current)
  return { SQL_DIR }
}

export const maxLag: readonly Scenario[] = [
  {
    name: 'F13 beyond-max-lag',
    hypothesis:
      'Above its maxLag a report is not executed: a stale response is served, marked, or else 503; others continue',
    async run(stage) {
      const gateway = await stage.gateway(withMaxLag(stage))
      await startBeats(stage)
      await startEntries(stage)
      await gateway.warm('current')
      await stage.servers.one.ask('select pg_wal_replay_pause()')
      await sleep(4000)
      const cached = await gateway.loadFor(1, 50, ofEach('current'))
      const uncached = await gateway.loadFor(1, 50, fresh('current'))
      const others = await gateway.loadFor(1, 50, entries)
      return [
        all('cached ones served and marked', cached, isMarkedStale),
        none('new ones executed', uncached, isOk),
        all('reports without maxLag answered', others, isOk),
      ]
    },
  },
  {
    name: 'F13 one-of-two-behind',
    hypothesis:
      "If the lag of one of two replicas exceeds a report's maxLag, the other executes it, and no response has old data",
    async run(stage) {
      const { one, two } = stage.servers
      const replicas = [one.port, (await two()).port]
      const gateway = await stage.gateway(withMaxLag(stage), { replicas })
      await startBeats(stage)
      await startEntries(stage)
      await one.ask('select pg_wal_replay_pause()')
      await sleep(4000)
      const responses = await gateway.loadFor(2, 50, fresh('current'))
      const ages = responses.map(
        ({ headers }) => Date.now() - Date.parse(String(headers['data-as-of'])),
      )
      return [
        all('answered', responses, isOk),
        atMost('oldest data', Math.max(...ages) / 1000, 5, 's'),
      ]
    },
  },
]

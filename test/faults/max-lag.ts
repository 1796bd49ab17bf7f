// Lag in the product's definitions: `maxLag` of a report, and the heartbeat row.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEntries } from '../harness/entries.ts'
import { all, atMost, none } from '../harness/figures.ts'
import { entries, fresh, isMarkedStale, isOk, ofEach } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'
import type { Stage } from '../harness/stage.ts'
import { saidLag, startBeats } from './beats.ts'

/** The product's definitions with one more file. @returns `SQL_DIR` */
function definitionsWith(folder: string, path: string, sql: string): string {
  const copy = mkdtempSync(join(folder, 'definitions-'))
  cpSync(`${PRODUCT}/sql`, copy, { recursive: true })
  mkdirSync(dirname(join(copy, path)), { recursive: true })
  writeFileSync(join(copy, path), sql)
  return copy
}

/** The report `current`, which requires data of the last two seconds. */
function withMaxLag({ folder }: Stage): Record<string, string> {
  const sql = readFileSync(`${PRODUCT}/sql/reports/faults/entries.sql`, 'utf8')
  const current = sql.replace(/^stale: .*$/m, '$&\nmaxLag: 2s')
  return { SQL_DIR: definitionsWith(folder, 'reports/faults/current.sql', current) }
}

/** The heartbeat row that the primary writes continuously. */
const HEARTBEAT = 'select beats.at as written_at from beats\n'

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
  {
    name: 'F18 clock-skew',
    hypothesis:
      'A heartbeat with a clock half a minute off never causes a negative lag or one that is too small',
    async run(stage) {
      const { one, change } = stage.servers
      const SQL_DIR = definitionsWith(stage.folder, 'replica/heartbeat.sql', HEARTBEAT)
      const gateway = await stage.gateway({ SQL_DIR })
      const lags: number[] = []
      for (const skew of ['30 s', '-30 s']) {
        for (let beat = 0; beat < 15; beat += 1) {
          await change(`update beats set at = clock_timestamp() + interval '${skew}'`)
          await sleep(150)
          // why: the next probe reads the first heartbeats
          if (beat > 8) lags.push(await saidLag(gateway, one))
        }
      }
      const largest = atMost('largest, with a row half a minute old', Math.max(...lags), 62, 's')
      return [
        none('reported as negative or unknown', lags, lag => !(lag >= 0)),
        { ...largest, atLeast: 28 },
      ]
    },
  },
]

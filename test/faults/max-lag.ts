// What the product says of lag in its definitions: a report's bound, and the row that its primary writes.
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

/** The report `current`, which wants data of the last two seconds. */
function withMaxLag({ folder }: Stage): Record<string, string> {
  const sql = readFileSync(`${PRODUCT}/sql/reports/faults/entries.sql`, 'utf8')
  const current = sql.replace(/^stale: .*$/m, '$&\nmaxLag: 2s')
  return { SQL_DIR: definitionsWith(folder, 'reports/faults/current.sql', current) }
}

/** Where the row stands that the primary writes all the time. */
const HEARTBEAT = 'select beats.at as written_at from beats\n'

export const maxLag: readonly Scenario[] = [
  {
    name: 'F13 beyond-max-lag',
    hypothesis:
      'Beyond its maxLag a report is not computed: what is cached is served, marked, else 503; others go on',
    async run(stage) {
      const gateway = await stage.gateway(withMaxLag(stage))
      await startBeats(stage)
      await startEntries(stage)
      await gateway.warm('current')
      await stage.servers.one.ask('select pg_wal_replay_pause()')
      await sleep(4000)
      const cached = await gateway.loadFor(1, 50, ofEach('current'))
      const anew = await gateway.loadFor(1, 50, fresh('current'))
      const others = await gateway.loadFor(1, 50, entries)
      return [
        all('cached ones served and marked', cached, isMarkedStale),
        none('new ones computed', anew, isOk),
        all('reports without a bound answered', others, isOk),
      ]
    },
  },
  {
    name: 'F13 one-of-two-behind',
    hypothesis:
      "When one of two replicas is behind a report's maxLag, the other answers, and no Data-As-Of goes back",
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
      'A heartbeat row whose clock is half a minute off makes no negative lag, and never a lag that is too small',
    async run(stage) {
      const { one, change } = stage.servers
      const SQL_DIR = definitionsWith(stage.folder, 'replica/heartbeat.sql', HEARTBEAT)
      const gateway = await stage.gateway({ SQL_DIR })
      const lags: number[] = []
      for (const skew of ['30 s', '-30 s']) {
        for (let beat = 0; beat < 15; beat += 1) {
          await change(`update beats set at = clock_timestamp() + interval '${skew}'`)
          await sleep(150)
          // why: the first beats are read by the probe that comes next
          if (beat > 8) lags.push(await saidLag(gateway, one))
        }
      }
      const largest = atMost('largest, the row being half a minute old', Math.max(...lags), 62, 's')
      return [
        none('said to be negative or nothing', lags, lag => !(lag >= 0)),
        { ...largest, atLeast: 28 },
      ]
    },
  },
]

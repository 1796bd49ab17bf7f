// What the product says of lag in its definitions: a report's bound, and the row that its primary writes.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { saidLag, startBeats } from './beats.ts'
import { startEntries } from '../harness/entries.ts'
import {
  cold,
  count,
  entriesAnew,
  isMarkedStale,
  isOk,
  loadFor,
  percent,
  warm,
} from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'

/** The product's definitions, and the report `current`, which wants data of the last two seconds. */
function withMaxLag(folder: string): string {
  const copy = mkdtempSync(join(folder, 'max-lag-'))
  cpSync(`${PRODUCT}/sql`, copy, { recursive: true })
  const entries = readFileSync(`${copy}/reports/faults/entries.sql`, 'utf8')
  const current = entries.replace(/^stale: .*$/m, '$&\nmaxLag: 2s')
  writeFileSync(`${copy}/reports/faults/current.sql`, current)
  return copy
}

const maxLag: Scenario = {
  fault: 'F13',
  name: 'beyond-max-lag',
  hypothesis:
    'Beyond its maxLag a report is not computed: what is kept is served, marked, else 503; others go on',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway({ settings: { SQL_DIR: withMaxLag(world.folder) } })
    await startBeats(world)
    await startEntries(world)
    await warm(gateway, 'current')
    await one.ask('select pg_wal_replay_pause()')
    await sleep(4000)
    const kept = await loadFor(gateway, 1, 50, at => ({
      report: 'current',
      organization: 1 + (at % 20),
    }))
    const fresh = await loadFor(gateway, 1, 50, () => ({ report: 'current', cold: cold() }))
    const others = await loadFor(gateway, 1, 50, entriesAnew)
    return [
      {
        name: 'kept ones served and marked',
        value: percent(kept, isMarkedStale),
        unit: '%',
        exactly: 100,
      },
      { name: 'new ones computed', value: count(fresh, isOk), exactly: 0 },
      {
        name: 'reports without a bound answered',
        value: percent(others, isOk),
        unit: '%',
        exactly: 100,
      },
    ]
  },
}

const oneBehind: Scenario = {
  fault: 'F13',
  name: 'one-of-two-behind',
  hypothesis:
    "When one of two replicas is behind a report's maxLag, the other answers, and no Data-As-Of goes back",
  async run(world) {
    const { one } = world.servers
    const second = await world.servers.two()
    const gateway = await world.gateway({
      replicas: [one.port, second.port],
      settings: { SQL_DIR: withMaxLag(world.folder) },
    })
    await startBeats(world)
    await startEntries(world)
    await one.ask('select pg_wal_replay_pause()')
    await sleep(4000)
    const answers = await loadFor(gateway, 2, 50, () => ({ report: 'current', cold: cold() }))
    const ages = answers.map(
      ({ headers }) => Date.now() - Date.parse(String(headers['data-as-of'])),
    )
    return [
      { name: 'answered', value: percent(answers, isOk), unit: '%', exactly: 100 },
      { name: 'oldest data', value: Math.max(...ages) / 1000, unit: 's', atMost: 5 },
    ]
  },
}

/** The product's definitions, and where the row stands that its primary writes all the time. */
function withHeartbeat(folder: string): string {
  const copy = mkdtempSync(join(folder, 'heartbeat-'))
  cpSync(`${PRODUCT}/sql`, copy, { recursive: true })
  mkdirSync(`${copy}/replica`)
  writeFileSync(`${copy}/replica/heartbeat.sql`, 'select beats.at as written_at from beats\n')
  return copy
}

const skewed: Scenario = {
  fault: 'F18',
  name: 'clock-skew',
  hypothesis:
    'A heartbeat row whose clock is half a minute off makes no negative lag, and never a lag that is too small',
  async run(world) {
    const { one } = world.servers
    const gateway = await world.gateway({ settings: { SQL_DIR: withHeartbeat(world.folder) } })
    const said: number[] = []
    for (const skew of ['30 s', '-30 s']) {
      for (let beat = 0; beat < 15; beat += 1) {
        await world.servers.change(`update beats set at = clock_timestamp() + interval '${skew}'`)
        await sleep(150)
        // why: the first beats are read by the probe that comes next
        if (beat > 8) said.push(await saidLag(gateway, one))
      }
    }
    return [
      {
        name: 'said to be negative or nothing',
        value: count(said, lag => !(lag >= 0)),
        exactly: 0,
      },
      {
        name: 'largest, where the row is half a minute old',
        value: Math.max(...said),
        unit: 's',
        atLeast: 28,
        atMost: 62,
      },
    ]
  },
}

export const asked: readonly Scenario[] = [maxLag, oneBehind, skewed]

// Definitions and schemas that do harm: too slow, too large, wrong, or changed beneath them.
import { memoryBytes } from '../bench/process-figures.ts'
import { deploy } from './deploy.ts'
import { sumOf } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import { running } from '../harness/invariants.ts'
import { askMany, cold, count, isOk, loadFor, msOf, percent, startLoad } from '../harness/load.ts'
import { pooler } from './pooler.ts'
import type { Scenario } from '../harness/scenario.ts'

async function runsOf(gateway: Gateway, definition: string): Promise<number> {
  return sumOf(await gateway.metrics(), 'svodka_runs_total', { definition })
}

const slow: Scenario = {
  fault: 'F26',
  name: 'slow-report',
  hypothesis:
    'A report that takes longer than it may ends at its time, is not tried again, and is remembered for a few seconds',
  async run(world) {
    const gateway = await world.gateway()
    const period = cold()
    const first = await gateway.ask({ report: 'slow', cold: period })
    const left = await running(world.servers.one)
    const more = await askMany(gateway, 4, 1, () => ({ report: 'slow', cold: period }))
    return [
      { name: 'status', value: first.status, exactly: 504 },
      { name: 'after', value: first.ms, unit: 'ms', atLeast: 900, atMost: 1300 },
      { name: 'still running then', value: left, exactly: 0 },
      { name: 'runs for five requests', value: await runsOf(gateway, 'slow'), exactly: 1 },
      {
        name: 'the others said so',
        value: count(more, ({ code }) => code === 'report_timeout'),
        exactly: 4,
      },
    ]
  },
}

const huge: Scenario = {
  fault: 'F27',
  name: 'huge-result',
  hypothesis:
    "300 MB of rows are refused at the row that is too many, and cost neither memory nor others' time",
  quick: true,
  async run(world) {
    const gateway = await world.gateway()
    const pings = startLoad(gateway, 50, () => ({ report: 'ping' }))
    const before = memoryBytes(gateway.pid)
    const answers = await askMany(gateway, 8, 4, () => ({ report: 'huge', cold: cold() }))
    const grown = (memoryBytes(gateway.pid) - before) / 2 ** 20
    const waits = msOf(await pings.stop())
    return [
      {
        name: 'told result_too_large',
        value: count(answers, ({ code }) => code === 'result_too_large'),
        exactly: 8,
      },
      { name: 'slowest of these', value: Math.max(...msOf(answers)), unit: 'ms', atMost: 5000 },
      { name: 'memory', value: grown, unit: 'MiB', atMost: 64 },
      { name: 'longest wait of others', value: Math.max(...waits), unit: 'ms', atMost: 250 },
    ]
  },
}

const spills: Scenario = {
  fault: 'F25',
  name: 'spills-to-disk',
  hypothesis:
    'A report that needs more of the disk than its role may use is refused, not tried again, and remembered',
  async run(world) {
    const { servers } = world
    await servers.change("alter role svodka_reports set temp_file_limit = '2MB'")
    await servers.caughtUp()
    const gateway = await world.gateway()
    const period = cold()
    const answers = await askMany(gateway, 5, 1, () => ({ report: 'spills', cold: period }))
    return [
      {
        name: 'told result_too_large',
        value: count(answers, ({ code }) => code === 'result_too_large'),
        exactly: 5,
      },
      { name: 'runs for five requests', value: await runsOf(gateway, 'spills'), exactly: 1 },
    ]
  },
}

const divides: Scenario = {
  fault: 'F26',
  name: 'failing-report',
  hypothesis:
    'A report that fails cannot hammer the replica: 200 requests in two seconds, a run in a few seconds',
  async run(world) {
    world.faulty.add('divides')
    const gateway = await world.gateway()
    const answers = await loadFor(gateway, 2, 100, () => ({ report: 'divides' }))
    return [
      {
        name: 'told internal_error',
        value: percent(answers, ({ code }) => code === 'internal_error'),
        unit: '%',
        exactly: 100,
      },
      { name: 'runs', value: await runsOf(gateway, 'divides'), atMost: 3 },
    ]
  },
}

const typeChanges: Scenario = {
  fault: 'F43',
  name: 'column-changes-type',
  hypothesis:
    'A column that changes its type beneath prepared statements is not noticed by anybody',
  async run(world) {
    const { servers } = world
    world.undo(() => servers.change('alter table drifting alter column id type integer'))
    const gateway = await world.gateway()
    await askMany(gateway, 32, 8, () => ({ report: 'drifting', cold: cold() }))
    await servers.change('alter table drifting alter column id type bigint')
    await servers.caughtUp()
    const answers = await askMany(gateway, 32, 8, () => ({ report: 'drifting', cold: cold() }))
    return [{ name: 'answered', value: count(answers, isOk), exactly: 32 }]
  },
}

const columnGoes: Scenario = {
  fault: 'F43',
  name: 'column-goes',
  hypothesis: 'A column that is dropped breaks the report that reads it, and no other',
  async run(world) {
    const { servers } = world
    world.faulty.add('drifting')
    world.undo(() =>
      servers.change('alter table drifting add column extra integer not null default 0'),
    )
    const gateway = await world.gateway()
    await servers.change('alter table drifting drop column extra')
    await servers.caughtUp()
    const broken = await askMany(gateway, 20, 4, () => ({ report: 'drifting', cold: cold() }))
    const rest = await askMany(gateway, 100, 8, () => ({ report: 'others', cold: cold() }))
    return [
      {
        name: 'the report is told broken',
        value: count(broken, ({ status }) => status === 500),
        exactly: 20,
      },
      { name: 'others answered', value: count(rest, isOk), exactly: 100 },
      { name: 'ready', value: await gateway.readyStatus(), exactly: 200 },
    ]
  },
}

export const hostile: readonly Scenario[] = [
  slow,
  huge,
  spills,
  divides,
  typeChanges,
  columnGoes,
  deploy,
  pooler,
]

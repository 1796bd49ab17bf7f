// Clocks that are wrong: the gateway's, which jumps, and that of a standby. By libfaketime, as Debian ships it.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { saidLag, sampleLag, startBeats, watchLag, worst } from './beats.ts'
import { startEntries } from '../harness/entries.ts'
import { cold, count, entriesAnew, isOk, percent, startLoad } from '../harness/load.ts'
import { Missing } from '../harness/scenario.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'

const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`

type Environment = Readonly<Record<string, string>>

/** @throws Missing where it is not installed. */
function faked(how: Environment): Environment {
  if (!existsSync(LIBRARY)) throw new Missing(`${LIBRARY} (Debian's faketime)`)
  // why: a clock that is set does not change how time passes
  return { LD_PRELOAD: LIBRARY, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...how }
}

/** A minute and a half, by the clock of the wall alone. */
const JUMPS = ['+0', '+30s', '-60s', '+0']

export const gatewayJumps: Scenario = {
  fault: 'F18',
  name: 'gateway-clock-jumps',
  hypothesis:
    "The gateway's own clock is set half a minute forth and a minute back: lag, Data-As-Of, keys and counts do not notice",
  async run(world) {
    const { one } = world.servers
    const file = join(world.folder, 'clock')
    // why: what is read while it is written would be no time
    const set = (jump: string): void => {
      writeFileSync(`${file}.new`, `${jump}\n`)
      renameSync(`${file}.new`, file)
    }
    set('+0')
    const settings = faked({ FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' })
    const gateway = await world.gateway({ settings })
    await startBeats(world)
    await startEntries(world)
    const load = startLoad(gateway, 20, entriesAnew)
    const samples = []
    const clocks: number[] = []
    const asked = []
    for (const jump of JUMPS) {
      asked.push(gateway.ask({ report: 'paced', cold: cold() }))
      await sleep(300)
      set(jump)
      await sleep(1200)
      samples.push(...(await watchLag(2, () => sampleLag(gateway, one))))
      const { headers } = await gateway.ask({ report: 'ping' })
      clocks.push((Date.parse(String(headers['date'])) - Date.now()) / 1000)
    }
    const answers = [...(await load.stop()), ...(await Promise.all(asked))]
    const { under, over } = worst(samples)
    const ages = answers.filter(isOk).map(({ headers }) => Number(headers['age'] ?? 0))
    return [
      { name: 'its clock was ahead by', value: Math.max(...clocks), unit: 's', atLeast: 28 },
      { name: 'and behind by', value: -Math.min(...clocks), unit: 's', atLeast: 58 },
      { name: 'data said to be newer by', value: under, unit: 's', atMost: 2 },
      { name: 'said to be older by', value: over, unit: 's', atMost: 2 },
      { name: 'answered', value: percent(answers, isOk), unit: '%', exactly: 100 },
      {
        name: 'ages that no answer has',
        value: count(ages, age => !(age >= 0 && age <= 5)),
        exactly: 0,
      },
    ]
  },
}

/** A standby whose clock differs by so much from its primary's, and how old its data are said to be. */
async function apart(world: World, seconds: number): Promise<Figure[]> {
  const { servers } = world
  const fake = faked({ FAKETIME: `${seconds > 0 ? '+' : '-'}${Math.abs(seconds)}s` })
  const watchdog: Watchdog = {
    ...world.watchdog,
    spawn: (program, args, options) =>
      world.watchdog.spawn(program, args, { ...options, env: { ...options.env, ...fake } }),
  }
  const aside = await servers.aside(seconds > 0 ? 'ahead' : 'behind', watchdog)
  const { node } = aside
  world.undo(() => aside.remove())
  const clock = 'select extract(epoch from clock_timestamp())'
  const skew = Number(await node.ask(clock)) - Date.now() / 1000
  const gateway = await world.gateway({ replicas: [node.port] })
  await startBeats(world)
  const load = startLoad(gateway, 20, () => ({ report: 'ledger', cold: cold() }))
  await sleep(2200)
  const sample = async () => {
    const shown = Number(await node.ask('select extract(epoch from at) from beats'))
    return { trueSeconds: Date.now() / 1000 - shown, saidSeconds: await saidLag(gateway, node) }
  }
  const well = worst(await watchLag(2, sample))
  await node.ask('select pg_wal_replay_pause()')
  const paused = worst(await watchLag(4, sample))
  const answers = await load.stop()
  return [
    {
      name: 'its clock is ahead by',
      value: skew,
      unit: 's',
      atLeast: seconds - 2,
      atMost: seconds + 2,
    },
    {
      name: 'data said to be newer by',
      value: Math.max(well.under, paused.under),
      unit: 's',
      atMost: 2,
    },
    {
      name: 'said to be older by',
      value: Math.max(well.over, paused.over),
      unit: 's',
      atMost: Math.max(0, seconds) + 2,
    },
    { name: 'reports answered', value: percent(answers, isOk), unit: '%', exactly: 100 },
  ]
}

export const standbyBehind: Scenario = {
  fault: 'F18',
  name: 'standby-clock-behind',
  hypothesis:
    "A standby's clock is half a minute behind its primary's: its lag is said truly, followed or paused, and never below zero",
  run: world => apart(world, -30),
}

export const standbyAhead: Scenario = {
  fault: 'F18',
  name: 'standby-clock-ahead',
  hypothesis:
    'One that is half a minute ahead cannot be told from a slow link: its data are said to be older by that much, never newer',
  run: world => apart(world, 30),
}

export const clocks: readonly Scenario[] = [gatewayJumps, standbyBehind, standbyAhead]

// Wrong clocks: a jump of the gateway's clock, and a standby's clock that is off. With libfaketime, as in Debian.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEntries } from '../harness/entries.ts'
import { all, atLeast, atMost, none, type Figure } from '../harness/figures.ts'
import { entries, fresh, isOk } from '../harness/load.ts'
import { Missing, type Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { honest, saidLag, sampleLag, startBeats, watchLag } from './beats.ts'

const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`

type Environment = Readonly<Record<string, string>>

/** @throws Missing if libfaketime is not installed. */
function faked(how: Environment): Environment {
  if (!existsSync(LIBRARY)) throw new Missing(`${LIBRARY} (Debian's faketime)`)
  // why: setting the clock does not affect monotonic time
  return { LD_PRELOAD: LIBRARY, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...how }
}

/** Offsets from the true time, in turn. The largest jump is a minute and a half, only on the wall clock. */
const JUMPS = ['+0', '+30s', '-60s', '+0']

/** A standby whose clock differs from its primary's: the reported age of its data against the true one. */
async function apart(stage: Stage, seconds: number): Promise<Figure[]> {
  const { servers, watchdog } = stage
  const fake = faked({ FAKETIME: `${seconds > 0 ? '+' : '-'}${Math.abs(seconds)}s` })
  const { node, remove } = await servers.aside(seconds > 0 ? 'ahead' : 'behind', {
    ...watchdog,
    spawn: (program, args, options) =>
      watchdog.spawn(program, args, { ...options, env: { ...options.env, ...fake } }),
  })
  stage.undo(remove)
  const clock = Number(await node.ask('select extract(epoch from clock_timestamp())'))
  const skew = clock - Date.now() / 1000
  const gateway = await stage.gateway({}, { replicas: [node.port] })
  await startBeats(stage)
  const reads = gateway.startLoad(20, fresh('ledger'))
  await sleep(2200)
  const sample = async () => {
    const shown = Number(await node.ask('select extract(epoch from at) from beats'))
    return { trueSeconds: Date.now() / 1000 - shown, saidSeconds: await saidLag(gateway, node) }
  }
  const samples = await watchLag(2, sample)
  await node.ask('select pg_wal_replay_pause()')
  samples.push(...(await watchLag(4, sample)))
  return [
    { ...atMost('its clock is ahead by', skew, seconds + 2, 's'), atLeast: seconds - 2 },
    ...honest(samples, Math.max(0, seconds) + 2),
    all('reports answered', await reads.stop(), isOk),
  ]
}

export const clocks: readonly Scenario[] = [
  {
    name: 'F18 gateway-clock-jumps',
    hypothesis:
      "The gateway's clock is set half a minute forward and a minute back: lag, Data-As-Of, keys and counts are not affected",
    async run(stage) {
      const file = join(stage.folder, 'clock')
      // why: a read during a write would get an incomplete time
      const set = (jump: string): void => {
        writeFileSync(`${file}.new`, `${jump}\n`)
        renameSync(`${file}.new`, file)
      }
      set('+0')
      const settings = faked({ FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' })
      const gateway = await stage.gateway(settings)
      await startBeats(stage)
      await startEntries(stage)
      const reads = gateway.startLoad(20, entries)
      const samples = []
      const clocks: number[] = []
      const paced = []
      for (const jump of JUMPS) {
        paced.push(gateway.ask(fresh('paced')()))
        await sleep(300)
        set(jump)
        await sleep(1200)
        samples.push(...(await watchLag(2, () => sampleLag(gateway, stage.servers.one))))
        const { headers } = await gateway.ask({ report: 'ping' })
        clocks.push((Date.parse(String(headers['date'])) - Date.now()) / 1000)
      }
      const responses = [...(await reads.stop()), ...(await Promise.all(paced))]
      const ages = responses.filter(isOk).map(({ headers }) => Number(headers['age'] ?? 0))
      return [
        atLeast('its clock was ahead by', Math.max(...clocks), 28, 's'),
        atLeast('and behind by', -Math.min(...clocks), 58, 's'),
        ...honest(samples),
        all('answered', responses, isOk),
        none('Age headers out of range', ages, age => !(age >= 0 && age <= 5)),
      ]
    },
  },
  {
    name: 'F18 standby-clock-behind',
    hypothesis:
      "A standby's clock is half a minute behind its primary's: the reported lag is accurate and never negative, also while paused",
    run: stage => apart(stage, -30),
  },
  {
    name: 'F18 standby-clock-ahead',
    hypothesis:
      'A standby clock half a minute ahead looks like a slow link: data are reported as older by that much, never as newer',
    run: stage => apart(stage, 30),
  },
]

// Bodies over a network that is late, slow, torn or in crumbs: right, or an honest error.
import { cold, count, isMarkedStale, isOk, loadFor, percent, warm } from '../harness/load.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Proxy, Toxics } from '../harness/proxy.ts'
import type { Recorded } from '../harness/recorder.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'

interface Hurt {
  readonly gateway: Gateway
  readonly proxy: Proxy
  /** Hashes of the bodies of `medium` for these periods, as they are where nothing hurts. */
  readonly right: ReadonlySet<string>
}

const PERIODS = [20_000, 20_001, 20_002, 20_003] as const

async function start(world: World): Promise<Hurt> {
  const proxy = await world.proxy(world.servers.one)
  const gateway = await world.gateway({ replicas: [proxy.port], probes: [world.servers.one.port] })
  const right = new Set<string>()
  for (const period of PERIODS) right.add((await fresh(gateway, period)).bodyHash)
  return { gateway, proxy, right }
}

/** A run, and no answer that is kept. */
function fresh(gateway: Gateway, period: number = PERIODS[0]): Promise<Recorded> {
  const headers = { 'Cache-Control': 'no-cache' }
  return gateway.ask({ report: 'medium', cold: period, headers })
}

function bodies(answers: readonly Recorded[], right: ReadonlySet<string>): Figure[] {
  const whole = answers.filter(isOk)
  return [
    { name: 'answers', value: answers.length },
    {
      name: 'bodies that are not the right one',
      value: count(whole, ({ bodyHash }) => !right.has(bodyHash)),
      exactly: 0,
    },
    {
      name: 'answers that are no 200 and no 503',
      value: count(answers, ({ status }) => status !== 200 && status !== 503),
      exactly: 0,
    },
  ]
}

function toxic(name: string, hypothesis: string, times: number, toxics: Toxics): Scenario {
  return {
    fault: 'F22',
    name,
    hypothesis,
    async run(world) {
      const { gateway, proxy, right } = await start(world)
      proxy.hurt(toxics, 'toClient')
      const answers: Recorded[] = []
      for (let at = 0; at < times; at += 1) answers.push(await fresh(gateway))
      return [
        ...bodies(answers, right),
        { name: 'of these 200', value: percent(answers, isOk), unit: '%', exactly: 100 },
      ]
    },
  }
}

const late = toxic('late', 'A network of 200 ms delays answers and nothing else', 5, {
  latencyMs: 200,
})

const slow = toxic('slow-link', 'A link of 50 KB/s delays answers and nothing else', 2, {
  bytesPerSecond: 50_000,
})

const crumbs = toxic('crumbs', 'Bytes that come one by one make the same bodies', 5, {
  sliceBytes: 1,
})

/** How a run is torn: once, somewhere in its 100 KB of rows, so that one more run is a new throw of the dice. */
function tearing(round: number): Toxics {
  return { resetAfterBytes: 1 + ((round * 7919) % 100_000), once: true }
}

/** So many runs of which one in `of` is torn. */
function tornRuns(
  name: string,
  hypothesis: string,
  { runs, of, atLeast }: { readonly runs: number; readonly of: number; readonly atLeast: number },
): Scenario {
  return {
    fault: 'F22',
    name,
    hypothesis,
    async run(world) {
      const { gateway, proxy, right } = await start(world)
      const answers: Recorded[] = []
      for (let round = 0; round < runs / of; round += 1) {
        proxy.hurt(tearing(round), 'toClient')
        answers.push(await fresh(gateway))
        proxy.carry()
        // why: those who want the same at once share a run
        for (let run = 1; run < of; run += 3) {
          const three = PERIODS.slice(1, 1 + Math.min(3, of - run))
          answers.push(...(await Promise.all(three.map(period => fresh(gateway, period)))))
        }
      }
      return [
        ...bodies(answers, right),
        { name: 'torn', value: (100 * proxy.tears) / runs, unit: '%', exactly: 100 / of },
        { name: 'answers of 200', value: percent(answers, isOk), unit: '%', atLeast },
      ]
    },
  }
}

const fewResets = tornRuns(
  'few-resets',
  'A connection in twenty is reset in the middle of rows, which is less than may be run once more: nobody is refused',
  { runs: 400, of: 20, atLeast: 99 },
)

const resets = tornRuns(
  'resets',
  'Every fourth is, which is more: of 1,000 bodies none is wrong or torn, and a tenth of the runs, and ten saved up, are run once more: 75 % and 11 %',
  { runs: 1000, of: 4, atLeast: 85 },
)

const keptAndTorn: Scenario = {
  fault: 'F22',
  name: 'resets-where-kept',
  hypothesis:
    'Whoever asks for what is kept, and takes it stale, is answered though every connection is reset',
  async run(world) {
    const { gateway, proxy } = await start(world)
    await warm(gateway, 'ledger')
    proxy.hurt({ resetAfterBytes: 500 }, 'toClient')
    const answers = await loadFor(gateway, 4, 50, at => ({
      report: 'ledger',
      organization: 1 + (at % 20),
    }))
    return [
      { name: 'answered', value: percent(answers, isOk), unit: '%', exactly: 100 },
      { name: 'of these marked stale', value: percent(answers, isMarkedStale), unit: '%' },
      { name: 'connections torn', value: proxy.tears, atLeast: 3 },
    ]
  },
}

const streamTorn: Scenario = {
  fault: 'F22',
  name: 'stream-torn',
  hypothesis:
    'A large answer whose rows break off is broken off too, so that no client takes it for whole',
  async run(world) {
    world.tornAllowed = true
    const { gateway, proxy } = await start(world)
    const answers: Recorded[] = []
    for (let round = 0; round < 8; round += 1) {
      proxy.hurt({ resetAfterBytes: 5_000_000 + round * 500_000 }, 'toClient')
      answers.push(await gateway.ask({ report: 'large', cold: cold() }))
      proxy.carry()
    }
    const honest = answers.filter(({ torn, status }) => torn !== undefined || status === 503)
    const whole = await gateway.ask({ report: 'large', cold: cold() })
    return [
      { name: 'broken off or refused', value: honest.length, exactly: 8 },
      {
        name: 'taken for whole and not so',
        value: count(answers, ({ wrong }) => wrong !== undefined),
        exactly: 0,
      },
      { name: 'a whole one afterwards', value: whole.status, exactly: 200 },
    ]
  },
}

export const torn: readonly Scenario[] = [
  fewResets,
  resets,
  keptAndTorn,
  streamTorn,
  late,
  slow,
  crumbs,
]

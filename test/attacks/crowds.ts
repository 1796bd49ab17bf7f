// Organization A sends far more than its share; organization B must hardly notice.
import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'
import { besideAttack, bystanderFigures } from './bystander.ts'
import type { Generator } from './generate.ts'
import { othersThan, outcomesOf, startGenerator } from './generate.ts'
import type { Job } from './job.ts'
import { atRest } from './rest.ts'

const CROWD = 1
const QUEUE = { QUEUE_TIMEOUT: '20s' }

type Attack = Omit<Job, 'url' | 'organization'>

/** B beside one attack of A, on a pool of that size. */
async function crowd(
  world: World,
  poolSize: number,
  attack: Attack,
  allowed: readonly string[],
): Promise<Figure[]> {
  const gateway = await world.gateway({
    settings: { ...QUEUE, REPORT_POOL_SIZE: String(poolSize) },
  })
  let generator: Generator | undefined
  const bystander = await besideAttack(gateway, {
    isQuick: world.isQuick,
    attack() {
      generator = startGenerator(world, { url: gateway.url, organization: CROWD, ...attack })
    },
  })
  if (generator === undefined) throw new Error('the attack was not begun')
  const spent = generator.cpuMs()
  const report = await generator.stop()
  return [
    ...bystanderFigures(bystander),
    {
      name: `A's requests`,
      value: report.sent,
      atLeast: world.isQuick ? 1 : 2000,
      detail: outcomesOf(report),
    },
    { name: `A's responses 200`, value: report.outcomes['200'] ?? 0, atLeast: 1 },
    {
      name: `A's other than ${allowed.join(', ')}`,
      value: othersThan(report, allowed),
      exactly: 0,
    },
    { name: `A's wrong bodies`, value: report.wrongCount, exactly: 0, detail: report.wrong },
    { name: 'without Retry-After of 1-120 s', value: report.withoutRetryAfter, exactly: 0 },
    { name: `the generator's CPU`, value: spent / 1000, unit: 's' },
    ...(await atRest(gateway)),
  ]
}

interface Row {
  readonly fault: string
  readonly name: string
  readonly hypothesis: string
  readonly poolSize: number
  readonly attack: Attack
  readonly quick?: true
  readonly allowed?: readonly string[]
}

function crowdRow({ poolSize, attack, allowed = ['200', '429'], ...row }: Row): Scenario {
  return { ...row, longestMs: 240_000, run: world => crowd(world, poolSize, attack, allowed) }
}

const COLD: Attack = { path: '/reports/nap?{cold}', clients: 300 }
const BUSY: Attack = { path: '/reports/counting?{cold}', clients: 300 }
const NO_CACHE: Attack = {
  path: '/reports/nap',
  clients: 200,
  pauseMs: 1000,
  headers: { 'Cache-Control': 'no-cache' },
}

const rows: readonly Row[] = [
  {
    fault: 'A10',
    name: 'cold-crowd-4',
    hypothesis:
      '2,000 cold requests of A and more, 300 at a time that repeat within a second when refused, cost B neither a refusal nor much time (4 slots)',
    poolSize: 4,
    attack: COLD,
    quick: true,
  },
  {
    fault: 'A11',
    name: 'cold-crowd-8',
    hypothesis: 'The same with 8 slots',
    poolSize: 8,
    attack: COLD,
  },
  {
    fault: 'A12',
    name: 'busy-crowd-4',
    hypothesis: "The same where A's reports keep a core of the replica busy, which B shares",
    poolSize: 4,
    attack: BUSY,
  },
  {
    fault: 'A13',
    name: 'no-cache-crowd-4',
    hypothesis: '200 no-cache requests of A at once, again each second, likewise (4 slots)',
    poolSize: 4,
    attack: NO_CACHE,
  },
  {
    fault: 'A14',
    name: 'no-cache-crowd-8',
    hypothesis: '200 no-cache requests of A at once, again each second, likewise (8 slots)',
    poolSize: 8,
    attack: NO_CACHE,
  },
  {
    fault: 'A15',
    name: 'head-of-streams',
    hypothesis: '50 HEAD a second of streamed reports for a minute likewise',
    poolSize: 4,
    attack: { path: '/reports/large?{cold}', method: 'HEAD', perSecond: 50 },
  },
]

/** Sessions of reports that the replica has ever opened for the role. */
async function sessions({ servers }: World): Promise<number> {
  return Number(
    await servers.one.ask("select sessions from pg_stat_database where datname = 'product'"),
  )
}

async function connectionsLost(gateway: Gateway): Promise<number> {
  return sumOf(await gateway.metrics(), 'svodka_db_connections_lost_total')
}

const aborts: Scenario = {
  fault: 'A16',
  name: 'aborts',
  hypothesis:
    '50 requests a second that are aborted for a minute cost B little, and the replica hardly a new session',
  quick: true,
  longestMs: 240_000,
  async run(world) {
    const gateway = await world.gateway({ settings: { ...QUEUE, REPORT_POOL_SIZE: '4' } })
    let generator: Generator | undefined
    let before = 0
    let from = 0
    const bystander = await besideAttack(gateway, {
      isQuick: world.isQuick,
      async attack() {
        before = await sessions(world)
        from = performance.now()
        generator = startGenerator(world, {
          url: gateway.url,
          organization: CROWD,
          path: '/reports/sleeping?{cold}',
          perSecond: 50,
          abortAfterMs: 60,
        })
      },
    })
    const seconds = (performance.now() - from) / 1000
    const report = await generator?.stop()
    if (report === undefined) throw new Error('the attack was not begun')
    const perSecond = ((await sessions(world)) - before - 1) / seconds
    return [
      ...bystanderFigures(bystander),
      { name: `A's requests`, value: report.sent, detail: outcomesOf(report) },
      { name: 'new sessions a second', value: perSecond, atMost: 2 },
      { name: 'connections lost', value: await connectionsLost(gateway) },
      ...(await atRest(gateway)),
    ]
  },
}

const identicalStreams: Scenario = {
  fault: 'A17',
  name: 'identical-streams',
  hypothesis:
    '100 identical requests of a report that is too large to cache never execute it twice at once',
  async run(world) {
    const gateway = await world.gateway({ settings: { ...QUEUE, REPORT_POOL_SIZE: '4' } })
    let most = 0
    let generator: Generator | undefined
    let watching: Promise<void> | undefined
    const bystander = await besideAttack(gateway, {
      isQuick: world.isQuick,
      attack() {
        const job = { url: gateway.url, organization: CROWD, path: '/reports/large', clients: 100 }
        generator = startGenerator(world, { ...job, atMost: 100 })
        watching = whileRunning(generator, async () => {
          most = Math.max(most, await executionsOfLarge(world))
        })
      },
    })
    const report = await generator?.report
    await watching
    if (report === undefined) throw new Error('the attack was not begun')
    return [
      { name: 'executions at once', value: most, exactly: 1 },
      ...bystanderFigures(bystander, {}),
      { name: `A's requests`, value: report.sent, detail: outcomesOf(report) },
      { name: `A's other than 200, 429`, value: othersThan(report, ['200', '429']), exactly: 0 },
      ...(await atRest(gateway)),
    ]
  },
}

async function executionsOfLarge({ servers }: World): Promise<number> {
  const sql = `select count(*) from pg_stat_activity
    where application_name = 'svodka reports' and state <> 'idle' and query like '%150000%'`
  return Number(await servers.one.ask(sql))
}

async function whileRunning(generator: Generator, check: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  const end = (): void => over.abort()
  generator.report.then(end, end)
  while (!over.signal.aborted) {
    await check()
    await sleep(20)
  }
}

export const crowds: readonly Scenario[] = [...rows.map(crowdRow), aborts, identicalStreams]

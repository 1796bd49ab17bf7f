// Organization A sends far more than its share; organization B must hardly be affected.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, exactly, said } from '../harness/figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { besideAttack } from './bystander.ts'
import type { Generator } from './generate.ts'
import { othersThan, startLoad } from './generate.ts'
import type { LoadJob } from './job.ts'
import { atRest } from './rest.ts'

const QUEUE = { QUEUE_TIMEOUT: '20s', REPORT_POOL_SIZE: '4' }

type Attack = Omit<LoadJob, 'kind' | 'url' | 'organization'>

const COLD: Attack = { path: '/reports/nap?{cold}', clients: 300 }
const BUSY: Attack = { path: '/reports/counting?{cold}', clients: 300 }
const NO_CACHE: Attack = {
  path: '/reports/nap',
  clients: 200,
  pauseMs: 1000,
  headers: { 'Cache-Control': 'no-cache' },
}
const HEAD: Attack = { path: '/reports/large?{cold}', method: 'HEAD', perSecond: 50 }

/** Measures B during one attack of A, with that pool size. */
function crowd(name: string, hypothesis: string, poolSize: number, attack: Attack): Scenario {
  return {
    name,
    hypothesis,
    longestMs: 240_000,
    async run(stage) {
      const gateway = await stage.gateway({ ...QUEUE, REPORT_POOL_SIZE: String(poolSize) })
      const begin = () => startLoad(stage, { url: gateway.url, organization: 1, ...attack })
      const { figures, report } = await besideAttack(stage, gateway, begin)
      return [
        ...figures,
        atLeast(`A's requests`, report.sent, 2000),
        atLeast(`A's responses 200`, report.outcomes['200'] ?? 0, 1),
        exactly(`A's responses other than 200, 429`, othersThan(report, ['200', '429']), 0),
        exactly(`A's wrong bodies`, report.wrongCount, 0, report.wrong),
        exactly('without Retry-After of 1-120 s', report.withoutRetryAfter, 0),
      ]
    },
  }
}

/** Of `MAX_CONNECTIONS`. */
const IDLE = 1000

function pingOf(key: string): string {
  return `GET /api/public/v1/ping HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`
}

/** Total number of sessions of the product's database on the replica. */
async function sessions({ servers }: Stage): Promise<number> {
  return Number(
    await servers.one.ask("select sessions from pg_stat_database where datname = 'product'"),
  )
}

const EXECUTIONS_OF_LARGE = `select count(*) from pg_stat_activity
  where application_name = 'svodka reports' and state <> 'idle' and query like '%150000%'`

/** Maximum of concurrent executions of `large` on the replica while the generator ran. */
async function mostAtOnce({ servers }: Stage, generator: Generator): Promise<number> {
  const over = new AbortController()
  const end = (): void => over.abort()
  generator.report.then(end, end)
  let most = 0
  for (; !over.signal.aborted; await sleep(20)) {
    most = Math.max(most, Number(await servers.one.ask(EXECUTIONS_OF_LARGE)))
  }
  return most
}

export const crowds: readonly Scenario[] = [
  crowd(
    'A10 cold-crowd-4',
    'At least 2,000 cold requests of A, 300 concurrent, repeated a second after a refusal, cost B no refusal and little time (4 slots)',
    4,
    COLD,
  ),
  crowd('A11 cold-crowd-8', 'The same with 8 slots', 8, COLD),
  crowd(
    'A12 busy-crowd-4',
    "The same where A's reports keep a core of the replica busy, which B shares",
    4,
    BUSY,
  ),
  crowd(
    'A13 no-cache-crowd-4',
    'The same with 200 concurrent no-cache requests of A every second (4 slots)',
    4,
    NO_CACHE,
  ),
  crowd('A14 no-cache-crowd-8', 'The same with 8 slots', 8, NO_CACHE),
  crowd(
    'A15 head-of-streams',
    'The same with 50 HEAD requests a second for streamed reports',
    4,
    HEAD,
  ),
  {
    name: 'A16 aborts',
    hypothesis:
      '50 aborted requests a second for a minute cost B little, and the replica few new sessions',
    longestMs: 240_000,
    async run(stage) {
      const gateway = await stage.gateway(QUEUE)
      const { url } = gateway
      const job = { path: '/reports/sleeping?{cold}', perSecond: 50, abortAfterMs: 60 }
      let before = 0
      const { figures, seconds } = await besideAttack(stage, gateway, async () => {
        before = await sessions(stage)
        return startLoad(stage, { url, organization: 1, ...job })
      })
      const perSecond = ((await sessions(stage)) - before - 1) / seconds
      return [
        ...figures,
        atMost('new sessions a second', perSecond, 2),
        said('connections lost', await gateway.total('svodka_db_connections_lost_total')),
      ]
    },
  },
  {
    name: 'A17 identical-streams',
    hypothesis:
      '100 identical requests of a report too large to cache never execute it concurrently',
    async run(stage) {
      const gateway = await stage.gateway(QUEUE)
      const { url } = gateway
      const job = { url, organization: 1, path: '/reports/large', clients: 100, atMost: 100 }
      let most = Promise.resolve(0)
      const begin = () => {
        const generator = startLoad(stage, job)
        most = mostAtOnce(stage, generator)
        return generator
      }
      const { figures, report } = await besideAttack(stage, gateway, begin, { limits: {} })
      return [
        exactly('executions at once', await most, 1),
        exactly(`A's other responses`, othersThan(report, ['200', '429', '503']), 0),
        ...figures,
      ]
    },
  },
  {
    name: 'A18 idle-connections',
    hypothesis:
      'While A holds all of MAX_CONNECTIONS idle and opens 50 more a second, each new connection of B is served',
    longestMs: 60_000,
    async run(stage) {
      stage.hasOtherClients = true
      const gateway = await stage.gateway({ MAX_CONNECTIONS: String(IDLE) })
      const { hostname, port } = new URL(gateway.url)
      const sockets: Socket[] = []
      stage.undo(() => sockets.forEach(socket => void socket.destroy()))
      const hold = (key: string): Promise<Socket> =>
        new Promise(resolve => {
          const socket = connect({ host: hostname, port: Number(port) })
          sockets.push(socket)
          const done = (): void => resolve(socket.on('error', () => undefined))
          socket.once('data', done).once('error', done).write(pingOf(key))
        })
      for (let n = 0; n < IDLE; n += 50)
        await Promise.all(Array.from({ length: 50 }, () => hold('key of organization 1')))
      const over = new AbortController()
      const more = (async () => {
        for (; !over.signal.aborted; await sleep(20)) void hold('key of organization 1')
      })()
      let served = 0
      for (let n = 0; n < 100; n += 1) {
        const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined)
        sockets.push(socket)
        const response = new Promise<string>(resolve =>
          socket.once('data', bytes => resolve(String(bytes))).once('close', () => resolve('')),
        )
        // why: a client that connects may take a moment until it sends its request
        await sleep(50)
        socket.write(pingOf('key of organization 2'))
        served += Number((await response).startsWith('HTTP/1.1 200 '))
        socket.destroy()
      }
      over.abort()
      await more
      return [exactly(`B's new connections served`, served, 100), ...(await atRest(gateway))]
    },
  },
]

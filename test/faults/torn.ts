// Bodies over a delayed, slow, resetting or fragmenting network: correct, or an explicit error.
import type { Recorded } from '../harness/client.ts'
import { all, atLeast, exactly, none, percent, said, type Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'
import { fresh, hasCode, isMarkedStale, isOk, ofEach } from '../harness/load.ts'
import type { Proxy, Toxics } from '../harness/proxy.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'

interface Hurt {
  readonly gateway: Gateway
  readonly proxy: Proxy
  /** Compares responses with the bodies that were received without faults. */
  readonly bodies: (responses: readonly Recorded[]) => Figure[]
}

const PERIODS = [20_000, 20_001, 20_002, 20_003] as const
const ROUNDS = 100

/** A request that bypasses the cache. */
function uncached(gateway: Gateway, cold: number = PERIODS[0]): Promise<Recorded> {
  return gateway.ask({ report: 'medium', cold, headers: { 'Cache-Control': 'no-cache' } })
}

async function start(stage: Stage): Promise<Hurt> {
  const { gateway, proxy } = await stage.behindProxy()
  const right = new Set<string>()
  for (const period of PERIODS) right.add((await uncached(gateway, period)).bodyHash)
  return {
    gateway,
    proxy,
    bodies: responses => [
      said('responses', responses.length),
      none('wrong bodies', responses.filter(isOk), ({ bodyHash }) => {
        return !right.has(bodyHash)
      }),
      none('neither 200 nor 503', responses, ({ status }) => status !== 200 && status !== 503),
    ],
  }
}

function toxic(name: string, hypothesis: string, times: number, toxics: Toxics): Scenario {
  return {
    name: `F22 ${name}`,
    hypothesis,
    async run(stage) {
      const { gateway, proxy, bodies } = await start(stage)
      proxy.hurt(toxics, 'toClient')
      const responses: Recorded[] = []
      for (let at = 0; at < times; at += 1) responses.push(await uncached(gateway))
      return [...bodies(responses), all('of these 200', responses, isOk)]
    },
  }
}

/** Resets an execution once, at another byte of its 100 KB of rows in each round. A retry is not reset. */
function tearing(round: number): Toxics {
  return { resetAfterBytes: 1 + ((round * 7919) % 100_000), once: true }
}

export const torn: readonly Scenario[] = [
  {
    name: 'F22 resets',
    hypothesis:
      'One execution in four is reset in the middle of its rows: each is retried once, and no body is wrong or torn',
    async run(stage) {
      const { gateway, proxy, bodies } = await start(stage)
      const responses: Recorded[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        proxy.hurt(tearing(round), 'toClient')
        responses.push(await uncached(gateway))
        proxy.carry()
        // why: concurrent identical requests share an execution
        const others = PERIODS.slice(1).map(period => uncached(gateway, period))
        responses.push(...(await Promise.all(others)))
      }
      return [
        ...bodies(responses),
        exactly('executions torn', proxy.tears, ROUNDS),
        all('of these 200', responses, isOk),
      ]
    },
  },
  {
    name: 'F22 resets-where-kept',
    hypothesis: 'A request with a stale cached response succeeds even if every connection is reset',
    async run(stage) {
      const { gateway, proxy } = await start(stage)
      await gateway.warm('ledger')
      proxy.hurt({ resetAfterBytes: 500 }, 'toClient')
      const responses = await gateway.loadFor(8, 50, ofEach('ledger'))
      return [
        all('answered', responses, isOk),
        said('of these marked stale', percent(responses, isMarkedStale), '%'),
        atLeast('connections torn', proxy.tears, 3),
      ]
    },
  },
  {
    name: 'F22 large-torn',
    hypothesis:
      'If the rows of a large report break off twice, while they are written to a file, the response is 503 and no file is left',
    async run(stage) {
      const { gateway, proxy } = await start(stage)
      const responses: Recorded[] = []
      for (let round = 0; round < 8; round += 1) {
        proxy.hurt({ resetAfterBytes: 5_000_000 + round * 500_000 }, 'toClient')
        responses.push(await gateway.ask(fresh('large')()))
        proxy.carry()
        await gateway.firstFresh(performance.now())
      }
      const spooled = await gateway.total('svodka_spool_bytes')
      const whole = await gateway.ask(fresh('large')())
      return [
        all('replica_unavailable', responses, hasCode('replica_unavailable')),
        atLeast('executions torn', proxy.tears, 16),
        exactly('bytes of files left', spooled, 0),
        exactly('status of one afterwards', whole.status, 200),
      ]
    },
  },
  toxic('late', 'A network of 200 ms delays responses and nothing else', 5, { latencyMs: 200 }),
  toxic('slow-link', 'A link of 50 KB/s delays responses and nothing else', 2, {
    bytesPerSecond: 50_000,
  }),
]

// Organization A sends far more than its share; organization B must hardly be affected.
import { atLeast, atMost, exactly, said } from '../harness/figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { besideAttack } from './bystander.ts'
import { othersThan, startLoad } from './generate.ts'
import type { LoadJob } from './job.ts'

const QUEUE = { QUEUE_TIMEOUT: '20s', REPORT_POOL_SIZE: '4' }

type Attack = Omit<LoadJob, 'url' | 'organization'>

const COLD: Attack = { report: 'nap', isCold: true, clients: 300 }
const BUSY: Attack = { report: 'counting', isCold: true, clients: 300 }
const NO_CACHE: Attack = {
  report: 'nap',
  clients: 200,
  pauseMs: 1000,
  headers: { 'Cache-Control': 'no-cache' },
}

/** Measures B during one attack of A. */
function crowd(name: string, hypothesis: string, attack: Attack): Scenario {
  return {
    name,
    hypothesis,
    longestMs: 240_000,
    async run(stage) {
      const gateway = await stage.gateway(QUEUE)
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

/** Total number of sessions of the product's database on the replica. */
async function sessions({ servers }: Stage): Promise<number> {
  return Number(
    await servers.one.ask("select sessions from pg_stat_database where datname = 'product'"),
  )
}

export const crowds: readonly Scenario[] = [
  crowd(
    'A10 cold-crowd',
    'At least 2,000 cold requests of A, 300 concurrent, repeated a second after a refusal, cost B no refusal and little time',
    COLD,
  ),
  crowd(
    'A12 busy-crowd',
    "The same where A's reports keep a core of the replica busy, which B shares",
    BUSY,
  ),
  crowd(
    'A13 no-cache-crowd',
    'The same with 200 concurrent no-cache requests of A every second',
    NO_CACHE,
  ),
  {
    name: 'A16 aborts',
    hypothesis:
      '50 aborted requests a second for a minute cost B little, and the replica no more new sessions than its four slots end',
    longestMs: 240_000,
    async run(stage) {
      const gateway = await stage.gateway(QUEUE)
      const { url } = gateway
      const job = { report: 'sleeping', isCold: true, perSecond: 50, abortAfterMs: 60 } as const
      let before = 0
      const { figures, seconds } = await besideAttack(stage, gateway, async () => {
        before = await sessions(stage)
        return startLoad(stage, { url, organization: 1, ...job })
      })
      const perSecond = ((await sessions(stage)) - before - 1) / seconds
      return [
        ...figures,
        // an aborted execution ends with its session, and keeps its slot for a tenth of a second
        atMost('new sessions a second', perSecond, 40),
        said('connections lost', await gateway.total('svodka_db_connections_lost_total')),
      ]
    },
  },
]

// PostGraphile 5 with the same data and the same reports, compared with the gateway.
import { askAll, askJson } from '../ask.ts'
import type { LoadRequest } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { Gateway } from '../gateway.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import type { ServerProcess } from '../server-process.ts'
import { subjectOf } from '../subject.ts'
import type { Subject } from '../subject.ts'
import { loadOf } from '../wrk.ts'
import type { Round } from '../wrk.ts'
import { compareRows, queryOf } from './graphql.ts'
import type { GatewayAnswer } from './graphql.ts'
import { startPostgraphile } from './postgraphile.ts'

const RIVAL = 'PostGraphile 5'
const ORGANIZATIONS = 40
const PERIODS = 10
const EXECUTED = /^svodka_runs_total\{.*outcome="ok".*\} (\S+)$/gm
const HITS = /^svodka_cache_requests_total\{.*result="hit".*\} (\S+)$/gm

/** @throws Missing if it cannot be installed. */
export async function rivals(bench: Bench): Promise<Row[]> {
  const small = smallQuestions(bench)
  const register = subjectOf(bench.product.named['ten thousand'], 'operations')
  const gateway = await startGateway(bench)
  const rival = await startPostgraphile(bench, [...small, register])
  bench.progress('rivals: comparing what both answer')
  for (const subject of [...small, register]) {
    const ours = await askJson<GatewayAnswer>(gateway.url, subject.fresh)
    compareRows(subject, await askJson(rival.url, queryOf(subject)), ours)
  }
  const seconds = bench.quick ? 2 : 3
  const load = (server: ServerProcess, requests: readonly LoadRequest[]) =>
    loadOf(bench, server, requests, { seconds })
  // why longer: one connection executes few requests
  const oneByOne = (server: ServerProcess, request: LoadRequest) =>
    loadOf(bench, server, [request], { seconds: seconds + 2, connections: 1 })
  const fresh = small.map(subject => subject.fresh)
  const hits = load(
    gateway,
    small.map(({ cached }) => cached),
  )
  const large = `${RIVAL}, register`
  const measured = await interleaved<string, Round>(bench, 'rivals', 3, {
    [RIVAL]: load(rival, small.map(queryOf)),
    uncached: counted(gateway, EXECUTED, 1, load(gateway, fresh)),
    async cached() {
      await askAll(gateway.url, fresh)
      // why not 1: these cached responses stay fresh for only a minute
      return counted(gateway, HITS, 0.99, hits)()
    },
    [large]: oneByOne(rival, queryOf(register)),
    register: counted(gateway, EXECUTED, 1, oneByOne(gateway, register.fresh)),
  })
  await rival.stop()
  await gateway.stop()
  const perSecond = ({ requestsPerSecond }: Round): number => requestsPerSecond
  // why the median: requests are few, and wrk does not count the last, unfinished one
  const oneAtATime = ({ p50Ms }: Round): number => 1000 / p50Ms
  const rows = [
    { name: 'cached report', ours: 'cached', baseline: RIVAL, of: perSecond, atLeast: 60 },
    { name: 'uncached report', ours: 'uncached', baseline: RIVAL, of: perSecond, atLeast: 2.5 },
    { name: '10,000 rows', ours: 'register', baseline: large, of: oneAtATime, atLeast: 1.8 },
  ]
  return rows.map(({ name, atLeast, ...comparison }) =>
    ratioRow(measured, {
      ...comparison,
      name: `${name} against ${RIVAL}`,
      target: { atLeast },
      note: 'the same tuned statement as an SQL function, asked with variables; it checks no key',
    }),
  )
}

/** All different, and many more than are in flight at once, so that no two share an execution. */
function smallQuestions({ product: { ordinary } }: Bench): Subject[] {
  const middle = Math.floor((ordinary.length - ORGANIZATIONS) / 2)
  const middling = ordinary.slice(middle, middle + ORGANIZATIONS)
  // why only days after the year's end: each period then has all of this year's rows
  return Array.from({ length: PERIODS }, (_, daysMore) =>
    middling.map(organization => {
      const keyNumber = daysMore % organization.keys.length
      return subjectOf(organization, 'expenses_by_category', { daysMore, keyNumber })
    }),
  ).flat()
}

/** @returns the load, which throws if the counter grows by less than that share of the responses. */
function counted(
  gateway: Gateway,
  counter: RegExp,
  share: number,
  load: () => Promise<Round>,
): () => Promise<Round> {
  return async () => {
    const before = await gateway.metric(counter)
    const round = await load()
    const count = (await gateway.metric(counter)) - before
    if (count >= round.requestCount * share) return round
    throw new Error(`${round.requestCount} responses, and ${counter.source} counts ${count}`)
  }
}

// Requests whose responses are cached, against bare Koa that sends the same bytes, and against the plain program's hits.
import { startBareKoa, startPlainProgram } from './baselines.ts'
import type { Bench, Row } from './bench.ts'
import { rowsOfEach, withGateways, type NamedGateway } from './contenders.ts'
import { rawAsker, type RawAnswer } from '../harness/ask.ts'
import { addDays, localDate } from '../../src/definitions/calendar.ts'
import { requestOf, type LoadRequest } from './requests.ts'
import { interleaved } from './rounds.ts'
import { ratioRow } from './rows.ts'
import type { ServerProcess } from './server-process.ts'
import { loadOf, type Round } from './wrk.ts'

const CONNECTIONS = 64
const GZIP = { 'Accept-Encoding': 'gzip' }
const KOA = 'bare Koa'
const PLAIN = 'plain program'
/** More than the bytes of any response without a body. */
const HEAD_BYTES = 1500

export function hits(bench: Bench): Promise<Row[]> {
  return withGateways(bench, gateways => hitsOf(bench, gateways))
}

async function hitsOf(bench: Bench, gateways: readonly NamedGateway[]): Promise<Row[]> {
  bench.progress('hits: filling the caches, warming up')
  const plain = await startPlainProgram(bench)
  const requests = cachedRequests(bench)
  await askAll(plain, requests)
  const load = async (server: ServerProcess, wanted = requests) => {
    const round = await loadOf(bench, server, wanted, {
      seconds: 3,
      connections: CONNECTIONS,
      warmUpCount: 8000,
      headers: GZIP,
    })
    return async () => inSize(await round(), wanted === requests)
  }
  const contenders: Record<string, () => Promise<Round>> = {}
  const bodies: Buffer[][] = []
  for (const { name, gateway } of gateways) {
    await askAll(gateway, requests)
    const cached = await askAll(gateway, requests)
    if (!cached.every(({ headers }) => String(headers['cache-status']).includes('hit')))
      throw new Error('a response is no hit')
    const validators = cached.map(({ headers }) => ({ 'If-None-Match': headers.etag ?? '' }))
    const conditional = requests.map(({ path, headers }, at) => ({
      path,
      headers: { ...headers, ...validators[at] },
    }))
    await askAll(gateway, conditional, 304)
    bodies.push(cached.map(({ bytes }) => bytes))
    contenders[name] = await load(gateway)
    contenders[`${name}, 304`] = await load(gateway, conditional)
  }
  const koa = await startBareKoa(bench, bodies[0] ?? [])
  contenders[KOA] = await load(koa)
  contenders[PLAIN] = await load(plain)
  const rounds = await interleaved(bench, 'hits', contenders)
  await Promise.all([koa.stop(), plain.stop()])
  const perSecond = ({ requestsPerSecond }: Round): number => requestsPerSecond
  return rowsOfEach(gateways, ({ name: ours }) => [
    ratioRow(rounds, {
      name: 'hit: requests a second against bare Koa',
      ours,
      baseline: KOA,
      of: perSecond,
      cpuShare: ({ cpuShare }) => cpuShare,
      target: { atLeast: 0.55 },
    }),
    ratioRow(rounds, {
      name: 'hit: CPU',
      ours,
      baseline: PLAIN,
      of: ({ cpuUsPerRequest }) => cpuUsPerRequest,
      target: { atMost: 0.55 },
    }),
    ratioRow(rounds, {
      name: '304: requests a second against 200',
      ours: `${ours}, 304`,
      baseline: ours,
      of: perSecond,
      target: { atLeast: 1.1 },
    }),
  ])
}

/** Registers of months that ended last year, of about 100 rows, which stay fresh for longer than a run. */
function cachedRequests({ product }: Bench): LoadRequest[] {
  const year = Number(localDate(Date.now(), 'UTC').slice(0, 4)) - 1
  const months = Array.from({ length: 11 }, (_, at) => String(at + 1).padStart(2, '0'))
  return product.ordinary.flatMap(({ keys }) =>
    months.map((month, at) => {
      const first = `${year}-${month}-01`
      return requestOf('operations', keys[at % keys.length]!, first, addDays(first, 27))
    }),
  )
}

/** @throws Error if a response has another status. */
async function askAll(server: ServerProcess, requests: readonly LoadRequest[], status = 200) {
  const ask = rawAsker(server.url)
  const answers: RawAnswer[] = []
  for (const { path, headers } of requests) {
    const answer = await ask(path, { ...headers, ...GZIP })
    if (answer.status !== status)
      throw new Error(`${path} returned ${answer.status}: ${answer.bytes.toString()}`)
    answers.push(answer)
  }
  return answers
}

/** why: wrk does not count statuses below 400, so the number of bytes distinguishes 200 from 304. */
function inSize(round: Round, hasBody: boolean): Round {
  if (hasBody === round.bytesPerRequest > HEAD_BYTES) return round
  throw new Error(`a response has ${round.bytesPerRequest} bytes`)
}

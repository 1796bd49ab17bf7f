// A rival and the gateway, measured in turn: one is loaded while the other rests.
import type { Bench } from '../bench.ts'
import type { Gateway } from '../gateway.ts'
import { interleaved, roundsOf } from '../rounds.ts'
import type { ServerProcess } from '../server-process.ts'
import { load, requestsFile, type Load, type LoadRequest } from '../wrk.ts'
import { ask } from './answers.ts'
import { gatewayRequest, type Question } from './questions.ts'
import type { Rival } from './rival.ts'

export interface Measured extends Load {
  /** Of the server; PostgreSQL's is not in it. */
  readonly cpuUsPerRequest: number
}

/** Round by round; the registers at one connection, the rest at 64. */
export interface Duel {
  readonly rival: readonly Measured[]
  readonly uncached: readonly Measured[]
  readonly hit: readonly Measured[]
  readonly rivalRegister: readonly Measured[]
  readonly register: readonly Measured[]
}

const CONNECTIONS = 64
const RUNS = /^svodka_runs_total\{.*outcome="ok".*\} (\S+)$/gm
const HITS = /^svodka_cache_requests_total\{.*result="hit".*\} (\S+)$/gm

export async function duel(
  bench: Bench,
  gateway: Gateway,
  rival: Rival,
  small: readonly Question[],
  register: Question,
): Promise<Duel> {
  const fresh = (question: Question) => gatewayRequest(question, true)
  const kept = (question: Question) => gatewayRequest(question, false)
  const loaded = (
    server: ServerProcess & { readonly url: string },
    questions: readonly Question[],
    requestOf: (question: Question) => LoadRequest,
    connections: number,
  ) => {
    const requests = requestsFile(bench, questions.map(requestOf))
    return () => measure(bench, server, requests, connections)
  }
  const asked = (question: Question) => rival.request(question)
  const rivalServer = { ...rival.server, url: rival.url }
  const runsOnly = (measureIt: () => Promise<Measured>) => () =>
    counted(gateway, RUNS, 1, measureIt)
  const hit = loaded(gateway, small, kept, CONNECTIONS)
  const measured = await interleaved<Measured>(
    [
      { name: 'rival', measure: loaded(rivalServer, small, asked, CONNECTIONS) },
      { name: 'uncached', measure: runsOnly(loaded(gateway, small, fresh, CONNECTIONS)) },
      {
        name: 'hit',
        async measure() {
          await renew(gateway, small)
          // why not all: what is kept is fresh for a minute
          return counted(gateway, HITS, 0.99, hit)
        },
      },
      { name: 'rivalRegister', measure: loaded(rivalServer, [register], asked, 1) },
      { name: 'register', measure: runsOnly(loaded(gateway, [register], fresh, 1)) },
    ],
    {
      rounds: 3,
      progress: words => bench.progress(`rivals: ${words}`),
      signal: bench.signal,
    },
  )
  return {
    rival: roundsOf(measured, 'rival'),
    uncached: roundsOf(measured, 'uncached'),
    hit: roundsOf(measured, 'hit'),
    rivalRegister: roundsOf(measured, 'rivalRegister'),
    register: roundsOf(measured, 'register'),
  }
}

async function measure(
  bench: Bench,
  server: ServerProcess & { readonly url: string },
  requests: string,
  connections: number,
): Promise<Measured> {
  // why longer one by one: there are few of them
  const seconds = (bench.quick ? 2 : 3) + (connections === 1 ? 2 : 0)
  const before = server.cpuMs()
  const measured = await load(bench, { url: server.url, requests, seconds, connections })
  const cpuUs = (server.cpuMs() - before) * 1000
  return { ...measured, cpuUsPerRequest: cpuUs / measured.requestCount }
}

/** @throws Error unless the gateway counted such a share of the answers at least as what they were to be. */
async function counted(
  gateway: Gateway,
  counter: RegExp,
  share: number,
  measureIt: () => Promise<Measured>,
): Promise<Measured> {
  const before = await countOf(gateway, counter)
  const measured = await measureIt()
  const count = (await countOf(gateway, counter)) - before
  if (count >= measured.requestCount * share) return measured
  throw new Error(`${measured.requestCount} answers, and ${counter.source} counts ${count}`)
}

async function countOf({ opsUrl }: Gateway, counter: RegExp): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return [...text.matchAll(counter)].reduce((sum, [, value]) => sum + Number(value), 0)
}

/** All of them are kept, and as fresh as can be. */
async function renew(gateway: Gateway, questions: readonly Question[]): Promise<void> {
  const left = [...questions]
  const one = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      await ask(gateway.url, gatewayRequest(next, true))
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
}

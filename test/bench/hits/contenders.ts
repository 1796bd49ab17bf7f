// The servers whose hits are compared, each on core 0, and what a round under load says of one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../src/demo/ports.ts'
import type { Bench } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { Contender } from '../rounds.ts'
import { startServer } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import { load, requestsFile } from '../wrk.ts'
import type { Load } from '../wrk.ts'
import { prepare, sendsSameBytes } from './questions.ts'
import type { Questions } from './questions.ts'

export interface Round extends Load {
  /** Of the server's process. */
  readonly cpuUsPerRequest: number
  /** Of one core. */
  readonly cpuShare: number
}

export const NAMES = {
  bare: 'bare Koa',
  knex: 'a key query per request through knex',
  full: 'full hit',
  notModified: '304',
} as const

/** Heads alone, and never a body. */
const HEAD_BYTES = 1500

export async function contenders(bench: Bench, seconds: number): Promise<Contender<Round>[]> {
  const gateway = await startGateway(bench)
  bench.progress('filling the cache, comparing kept bodies with fresh ones')
  const questions = await prepare(bench, gateway.url)
  const full = requestsFile(bench, questions.full)
  const conditional = requestsFile(bench, questions.conditional)
  const bare = await startBaseline(bench, 'bare-koa', questions)
  const knex = await startBaseline(bench, 'koa-with-knex', questions)
  const least = questions.smallestBytes
  const under = (server: ServerProcess, url: string, requests: string) => async () => {
    const before = server.cpuMs()
    const measured = await load(bench, { url, requests, seconds })
    const cpuMs = server.cpuMs() - before
    return {
      ...measured,
      cpuUsPerRequest: (cpuMs * 1000) / measured.requestCount,
      cpuShare: cpuMs / measured.durationMs,
    }
  }
  const withBodies = (name: string, measure: () => Promise<Round>) => ({
    name,
    measure: async () => inSize(name, await measure(), least, Infinity),
  })
  return [
    withBodies(NAMES.bare, under(bare.server, bare.url, full)),
    withBodies(NAMES.knex, under(knex.server, knex.url, full)),
    withBodies(NAMES.full, under(gateway, gateway.url, full)),
    {
      name: NAMES.notModified,
      measure: async () => {
        const round = await under(gateway, gateway.url, conditional)()
        return inSize(NAMES.notModified, round, 0, HEAD_BYTES)
      },
    },
  ]
}

/** why: wrk counts no status below 400, so the bytes tell 200 from 304. */
function inSize(name: string, round: Round, least: number, most: number): Round {
  const bytes = Math.round(round.bytesPerRequest)
  // Requests that were cut off at the end of a round have sent a part.
  if (bytes >= least * 0.99 && bytes <= most) return round
  throw new Error(`${name} answers ${bytes} bytes, expected ${least} to ${most}`)
}

async function startBaseline(
  bench: Bench,
  script: 'bare-koa' | 'koa-with-knex',
  questions: Questions,
): Promise<{ readonly server: ServerProcess; readonly url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const bodies = join(bench.folder, 'bodies')
  mkdirSync(bodies, { recursive: true })
  for (const [at, body] of questions.bodies.entries())
    writeFileSync(join(bodies, `${at}.json`), body)
  const server = await startServer(bench, {
    name: script,
    command: [process.execPath, fileURLToPath(new URL(`./${script}.js`, import.meta.url))],
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      BODIES: bodies,
      DATABASE_URL: bench.product.urls.keys,
    },
    readyUrl: url,
  })
  await sendsSameBytes(url, questions)
  return { server, url }
}

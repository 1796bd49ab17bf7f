// Registers of 100, 10,000 and 200,000 rows, executed for every request, against the time of PostgreSQL alone.
import { fileURLToPath } from 'node:url'
import { ask, askJson } from '../ask.ts'
import type { LoadRequest } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { BenchName } from '../product.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { startServer } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import { lookupOf, subjectOf } from '../subject.ts'
import type { Subject } from '../subject.ts'
import { loadOf } from '../wrk.ts'
import { fasterFloor, floorsOf } from './floor.ts'
import type { Timed } from './floor.ts'

const OBJECTS_SERVER = fileURLToPath(new URL('./objects-server.js', import.meta.url))
const OBJECTS: LoadRequest = { path: '/', headers: {} }

type Fields = Readonly<Record<string, unknown>>

/** A round is `count` transactions of pgbench, or `seconds` of load on a server. */
const REGISTERS = [
  { name: 'hundred', rowCount: '100', count: 400, seconds: 1, atMost: 2 },
  { name: 'ten thousand', rowCount: '10,000', count: 16, seconds: 2, atMost: 1.15 },
  { name: 'two hundred thousand', rowCount: '200,000', count: 4, seconds: 4, atMost: 1.15 },
] as const

export async function registers(bench: Bench): Promise<Row[]> {
  const { urls, named } = bench.product
  const gateway = await startGateway(bench)
  const rows: Row[] = []
  for (const register of bench.quick ? REGISTERS.slice(0, 2) : REGISTERS) {
    const { name, rowCount, count, seconds, atMost } = register
    const what = `a cold report of ${rowCount} rows`
    const { subject } = await checked(bench, gateway, name)
    const { lookup, ...measured } = await interleaved(bench, what, bench.quick ? 3 : 5, {
      lookup: floorsOf(bench, lookupOf(named[name].keys[0] ?? ''), 400, urls.keys).auto,
      ...floorsOf(bench, subject.bound, count),
      gateway: timed(bench, gateway, subject.fresh, seconds),
    })
    const statement = fasterFloor(measured)
    const pgbench = lookup.map((_, round) => ({
      ms: (lookup[round]?.ms ?? Number.NaN) + (statement[round]?.ms ?? Number.NaN),
      cpuMs: 0,
    }))
    rows.push(
      ratioRow(
        { gateway: measured.gateway, pgbench },
        {
          name: `${what} against the key look-up and the statement by pgbench, rows thrown away`,
          ours: 'gateway',
          baseline: 'pgbench',
          of: ({ ms }) => ms,
          target: { atMost },
        },
      ),
    )
  }
  await gateway.stop()
  return rows
}

/** Against a server with pg's row objects and JSON.stringify. */
export async function objects(bench: Bench): Promise<Row[]> {
  const gateway = await startGateway(bench)
  const { subject, rows } = await checked(bench, gateway, 'two hundred thousand')
  const server = await startObjects(bench, subject, rows)
  const measured = await interleaved(bench, '200,000 rows against pg objects', 5, {
    gateway: timed(bench, gateway, subject.fresh, 4),
    'pg objects': timed(bench, server, OBJECTS, 4),
  })
  await Promise.all([gateway.stop(), server.stop()])
  const compared = { ours: 'gateway', baseline: 'pg objects' } as const
  return [
    ratioRow(measured, {
      name: '200,000 rows against pg objects and JSON.stringify',
      ...compared,
      of: ({ ms }) => ms,
      target: { atMost: 0.5 },
    }),
    ratioRow(measured, {
      name: '200,000 rows, CPU of Node against the same',
      ...compared,
      of: ({ cpuMs }) => cpuMs,
      target: { atMost: 0.25 },
    }),
  ]
}

/** One request after the other on one connection. */
function timed(
  bench: Bench,
  server: ServerProcess,
  request: LoadRequest,
  seconds: number,
): () => Promise<Timed> {
  const load = loadOf(bench, server, [request], { seconds, connections: 1 })
  return async () => {
    const { p50Ms, cpuShare } = await load()
    // why: not CPU time divided by responses, because the last of few requests is aborted
    return { ms: p50Ms, cpuMs: p50Ms * cpuShare }
  }
}

/** Checks a report before it is timed. @throws Error unless two executions return the same bytes and all rows. */
async function checked(
  bench: Bench,
  gateway: ServerProcess,
  name: BenchName,
): Promise<{ readonly subject: Subject; readonly rows: readonly Fields[] }> {
  const organization = bench.product.named[name]
  const subject = subjectOf(organization, 'operations')
  const first = await ask(gateway.url, subject.fresh)
  const second = await ask(gateway.url, subject.fresh)
  if (first.sha256 !== second.sha256) throw new Error(`${name}: two executions differ`)
  const { rows } = JSON.parse(first.body.toString()) as { readonly rows: readonly Fields[] }
  if (rows.length === organization.postedThisYear) return { subject, rows }
  throw new Error(`${name}: ${rows.length} rows, expected ${organization.postedThisYear}`)
}

/** @throws Error unless its rows equal the gateway's, except instants, which only the gateway writes in local time. */
async function startObjects(
  bench: Bench,
  { definition, bound }: Subject,
  rows: readonly Fields[],
): Promise<ServerProcess> {
  const server = await startServer(bench, {
    name: 'objects',
    command: [process.execPath, OBJECTS_SERVER],
    env: { DATABASE_URL: bench.product.urls.reports, STATEMENT: JSON.stringify(bound) },
    ready: '/ready',
  })
  const found = await askJson<{ readonly rows: readonly Fields[] }>(server.url, OBJECTS)
  const keys = definition.columns.filter(({ type }) => type !== 'datetime').map(({ key }) => key)
  const textOf = (all: readonly Fields[]): string =>
    JSON.stringify(all.map(row => keys.map(key => row[key])))
  if (textOf(found.rows.filter(row => row['is_total'] !== true)) === textOf(rows)) return server
  throw new Error('pg objects are not the rows of the gateway')
}

// Registers of 100, 10,000 and 200,000 rows, executed for every request, against what PostgreSQL alone takes for them.
import { fileURLToPath } from 'node:url'
import { ask } from '../ask.ts'
import type { LoadRequest } from '../ask.ts'
import type { Bench, Row } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { BenchName } from '../product.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { startServer } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import { median } from '../statistics.ts'
import { lookupOf, subjectOf } from '../subject.ts'
import type { Subject } from '../subject.ts'
import { loadOf } from '../wrk.ts'
import { fasterFloor, floorsOf } from './floor.ts'
import type { Plans, Timed } from './floor.ts'

const OBJECTS_SERVER = fileURLToPath(new URL('./objects-server.js', import.meta.url))
const OBJECTS: LoadRequest = { path: '/', headers: {} }

type Fields = Readonly<Record<string, unknown>>

interface Register {
  readonly name: BenchName
  readonly rowCount: string
  /** By pgbench in a round. */
  readonly transactionCount: number
  /** Of a server in a round. */
  readonly seconds: number
  readonly atMost: number
}

const REGISTERS: readonly Register[] = [
  { name: 'hundred', rowCount: '100', transactionCount: 400, seconds: 1, atMost: 2 },
  { name: 'ten thousand', rowCount: '10,000', transactionCount: 16, seconds: 2, atMost: 1.15 },
  {
    name: 'two hundred thousand',
    rowCount: '200,000',
    transactionCount: 4,
    seconds: 4,
    atMost: 1.15,
  },
]

export async function registers(bench: Bench): Promise<Row[]> {
  const gateway = await startGateway(bench)
  const rows: Row[] = []
  for (const register of bench.quick ? REGISTERS.slice(0, 2) : REGISTERS) {
    rows.push(...(await registerRows(bench, gateway, register)))
  }
  await gateway.stop()
  return rows
}

async function registerRows(
  bench: Bench,
  gateway: ServerProcess,
  { name, rowCount, transactionCount, seconds, atMost }: Register,
): Promise<Row[]> {
  const { urls, named } = bench.product
  const { subject, rows } = await checked(bench, gateway, name)
  const lookup = lookupOf(named[name].keys[0] ?? '')
  const contenders = {
    lookup: floorsOf(bench, lookup, 400, urls.keys).auto,
    ...floorsOf(bench, subject.bound, transactionCount),
    gateway: timed(bench, gateway, subject.fresh, seconds),
  }
  const rounds = bench.quick ? 3 : 5
  const what = `a cold report of ${rowCount} rows`
  if (name !== 'two hundred thousand') {
    return [againstFloor(what, atMost, await interleaved(bench, what, rounds, contenders))]
  }
  const objects = await startObjects(bench, subject, rows)
  const measured = await interleaved(bench, what, rounds, {
    ...contenders,
    objects: timed(bench, objects, OBJECTS, seconds),
  })
  await objects.stop()
  return [againstFloor(what, atMost, measured), ...againstObjects(what, measured)]
}

function againstFloor(
  what: string,
  atMost: number,
  measured: Readonly<Record<Plans | 'lookup' | 'gateway', readonly Timed[]>>,
): Row {
  const floor = fasterFloor(measured)
  const rounds = measured.gateway.map(({ ms }) => ms)
  return ratioRow({
    name: `${what} against the key look-up and the statement by pgbench`,
    rounds,
    baseline: {
      name: 'pgbench',
      rounds: measured.lookup.map(({ ms }, round) => ms + (floor[round] ?? Number.NaN)),
    },
    target: { atMost },
    figures: {
      'gateway, ms': median(rounds),
      'gateway, CPU ms': median(measured.gateway.map(({ cpuMs }) => cpuMs)),
      'pgbench, key look-up, ms': median(measured.lookup.map(({ ms }) => ms)),
      'pgbench, statement, ms': median(floor),
    },
    note: 'pgbench throws the rows away',
  })
}

function againstObjects(
  what: string,
  { gateway, objects }: Readonly<Record<'gateway' | 'objects', readonly Timed[]>>,
): Row[] {
  const figures = [
    { name: `${what} against pg objects and JSON.stringify`, figure: 'ms', atMost: 0.5 },
    { name: `${what}, CPU of Node against the same`, figure: 'cpuMs', atMost: 0.25 },
  ] as const
  return figures.map(({ name, figure, atMost }) => {
    const ours = gateway.map(round => round[figure])
    const theirs = objects.map(round => round[figure])
    return ratioRow({
      name,
      rounds: ours,
      baseline: { name: 'pg objects', rounds: theirs },
      target: { atMost },
      figures: { gateway: median(ours), 'pg objects': median(theirs) },
    })
  })
}

/** One request after the other on one connection. */
function timed(
  bench: Bench,
  server: ServerProcess,
  request: LoadRequest,
  seconds: number,
): () => Promise<Timed> {
  const load = loadOf(bench, server, { requests: [request], seconds, connections: 1 })
  return async () => {
    const { p50Ms, cpuShare } = await load()
    // why not the CPU time over the responses: the last request is cut off, and there are few
    return { ms: p50Ms, cpuMs: p50Ms * cpuShare }
  }
}

/** Before anything is timed. @throws Error unless two executions have the same bytes, and all rows. */
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

/** @throws Error unless it has the rows of the gateway, but for what only that writes in the organization's time. */
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
  const { body } = await ask(server.url, OBJECTS)
  const found = (JSON.parse(body.toString()) as { readonly rows: readonly Fields[] }).rows
  const keys = definition.columns.filter(({ type }) => type !== 'datetime').map(({ key }) => key)
  const textOf = (all: readonly Fields[]): string =>
    JSON.stringify(all.map(row => keys.map(key => row[key])))
  if (textOf(found.filter(row => row['is_total'] !== true)) === textOf(rows)) return server
  throw new Error('pg objects are not the rows of the gateway')
}

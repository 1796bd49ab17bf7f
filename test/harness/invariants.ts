// Invariants after every scenario, once all servers are restored: no crash, leak, wrong response or wrong count.
import { eventually } from '../../src/demo/processes.ts'
import { memoryBytes } from './process-figures.ts'
import { sumOf, type Sample } from './exposition.ts'
import { hasEnded } from './process.ts'
import type { Gateway } from './scenario-gateway.ts'
import { isRetryAfter } from './retry-after.ts'
import type { Node } from './servers.ts'
import type { Stage } from './stage.ts'

const REST_WITHIN_MS = 5000
const MEMORY_MAY_GROW_MIB = 128
/** Tens of thousands of requests fill the cache and V8's heap reserve. */
const BENEATH_LOAD_MIB = 256

/** @returns violated invariants. */
export async function violationsOf(gateway: Gateway, stage: Stage): Promise<string[]> {
  const { faulty, tornAllowed, hasOtherClients, servers } = stage
  const ofResponses = [...wrongResponses(gateway, faulty, tornAllowed)]
  if (hasEnded(gateway)) return [...ofResponses, ...wrongEnd(gateway)]
  let samples: Sample[] = []
  await eventually(async () => {
    samples = await gateway.metrics()
    return [...leftovers(samples)].length === 0
  }, REST_WITHIN_MS)
  const mayGrow = hasOtherClients ? BENEATH_LOAD_MIB : MEMORY_MAY_GROW_MIB
  const grown = (memoryBytes(gateway.pid) - gateway.memoryAtStart) / 2 ** 20
  return [
    ...ofResponses,
    ...leftovers(samples),
    ...(hasOtherClients ? [] : miscounts(gateway, samples)),
    ...(await stillRunning(await servers.all())),
    ...(grown > mayGrow ? [`memory grew by ${grown.toFixed(0)} MiB`] : []),
  ]
}

function* wrongResponses(
  { records }: Gateway,
  faulty: ReadonlySet<string>,
  tornAllowed: boolean,
): Iterable<string> {
  const defects = records.filter(({ status, report }) => status === 500 && !faulty.has(report))
  if (defects[0]) yield `${defects.length} responses 500, the first for ${defects[0].report}`
  const wrong = records.filter(record => record.wrong !== undefined)
  if (wrong[0]) yield `${wrong.length} wrong bodies, the first ${wrong[0].wrong}`
  const torn = records.filter(record => record.torn !== undefined && !record.left)
  if (torn[0] && !tornAllowed) {
    yield `${torn.length} responses torn, the first of ${torn[0].report}: ${torn[0].torn}`
  }
  const silent = records.find(
    ({ status, headers }) => [429, 503].includes(status) && !isRetryAfter(headers['retry-after']),
  )
  if (silent) {
    yield `a ${silent.status} of ${silent.report} whose Retry-After is ${silent.headers['retry-after']}`
  }
}

function* wrongEnd(gateway: Gateway): Iterable<string> {
  // why: the exit code is null after a signal of the scenario, and 0 after a regular stop
  const { exitCode } = gateway.child
  if (exitCode === 0 || exitCode === null) return
  yield `the gateway ended with ${exitCode}: ${gateway.out.trim().split('\n').at(-1)}`
}

function* leftovers(samples: readonly Sample[]): Iterable<string> {
  const inFlight = sumOf(samples, 'svodka_http_requests_in_flight')
  if (inFlight !== 0) yield `${inFlight} requests still in flight`
  for (const pool of ['reports', 'keys']) {
    const used = sumOf(samples, 'svodka_db_pool_connections', { pool, state: 'in_use' })
    const waiters = sumOf(samples, 'svodka_db_pool_waiters', { pool })
    if (used !== 0) yield `${used} connections of the pool ${pool} still in use`
    if (waiters !== 0) yield `${waiters} still wait for the pool ${pool}`
  }
  const errors = sumOf(samples, 'svodka_process_errors_total')
  if (errors !== 0) yield `${errors} uncaught errors`
}

/** Compares counters with the client's responses; the status of a torn response is unknown. */
function* miscounts({ records }: Gateway, samples: readonly Sample[]): Iterable<string> {
  const all = sumOf(samples, 'svodka_http_requests_total')
  if (all !== records.length) yield `${all} requests counted, ${records.length} sent`
  const whole = records.filter(({ torn }) => torn === undefined)
  const torn = records.length - whole.length
  const statuses = [
    ...samples.flatMap(({ labels }) => labels['status'] ?? []),
    ...whole.map(({ status }) => String(status)),
  ]
  const codes = whole.flatMap(({ code }) => code ?? [])
  for (const [name, label, values] of [
    ['svodka_http_requests_total', 'status', new Set(statuses)],
    ['svodka_problems_total', 'code', new Set(codes)],
  ] as const) {
    for (const value of values) {
      const own = whole.filter(record => String(record[label]) === value).length
      const theirs = sumOf(samples, name, { [label]: value })
      if (theirs < own || theirs > own + torn)
        yield `${theirs} of ${value} counted, ${own} received`
    }
  }
}

async function stillRunning(nodes: readonly Node[]): Promise<string[]> {
  const found: string[] = []
  for (const node of nodes) {
    const isIdle = async (): Promise<boolean> => (await node.running()) === 0
    if (!(await eventually(isIdle, REST_WITHIN_MS))) {
      found.push(`${await node.running()} statements still run on the ${node.server.name}`)
    }
  }
  return found
}

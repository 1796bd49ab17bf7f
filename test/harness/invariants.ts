// What has to hold after every scenario, once all servers are back: nothing crashed, leaked, lied or was miscounted.
import { eventually } from '../../src/demo/processes.ts'
import { memoryBytes } from '../bench/process-figures.ts'
import { sumOf } from './exposition.ts'
import type { Sample } from './exposition.ts'
import type { Gateway } from './gateway.ts'
import type { Node } from './servers.ts'

const REST_WITHIN_MS = 5000
const MEBIBYTE = 2 ** 20
const MEMORY_MAY_GROW_MIB = 128
/** A load of tens of thousands of requests fills the cache and what V8 holds in reserve. */
const BENEATH_LOAD_MIB = 256

export interface Expected {
  /** Reports whose definition is at fault: a 500 of theirs is the right answer. */
  readonly faulty: ReadonlySet<string>
  /** Answers that may be torn by the fault itself: they were under way when a connection broke. */
  readonly tornAllowed: boolean
  /** The gateway counts more requests than the recorder has made. */
  readonly hasOtherClients: boolean
}

/** @returns what does not hold. */
export async function violationsOf(
  gateway: Gateway,
  nodes: readonly Node[],
  expected: Expected,
): Promise<string[]> {
  const ofAnswers = [...wrongAnswers(gateway, expected)]
  if (gateway.exitCode !== undefined) return [...ofAnswers, ...wrongEnd(gateway)]
  const samples = await samplesAtRest(gateway)
  return [
    ...ofAnswers,
    ...leftovers(samples),
    ...(expected.hasOtherClients ? [] : miscounts(gateway, samples)),
    ...(await activity(nodes)),
    ...growth(gateway, expected.hasOtherClients ? BENEATH_LOAD_MIB : MEMORY_MAY_GROW_MIB),
  ]
}

function* wrongAnswers({ records }: Gateway, expected: Expected): Iterable<string> {
  const defects = records.filter(
    ({ status, report }) => status === 500 && !expected.faulty.has(report),
  )
  if (defects.length > 0) {
    yield `${defects.length} answers of 500, the first for ${defects[0]?.report}`
  }
  const wrong = records.filter(record => record.wrong !== undefined)
  if (wrong.length > 0) yield `${wrong.length} wrong bodies, the first ${wrong[0]?.wrong}`
  const torn = records.filter(record => record.torn !== undefined && !record.left)
  if (torn.length > 0 && !expected.tornAllowed) {
    yield `${torn.length} answers torn, the first of ${torn[0]?.report}: ${torn[0]?.torn}`
  }
  const silent = records.find(
    ({ status, headers }) =>
      [429, 503].includes(status) && !inRange(Number(headers['retry-after'])),
  )
  if (silent)
    yield `a ${silent.status} of ${silent.report} whose Retry-After is ${silent.headers['retry-after']}`
}

function inRange(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= 120
}

function* wrongEnd(gateway: Gateway): Iterable<string> {
  const { exitCode } = gateway
  // why: a signal that a scenario sent leaves null, a stop that was asked for 0
  if (exitCode !== 0 && exitCode !== null) {
    yield `the gateway ended with ${exitCode}: ${gateway.log().trim().split('\n').at(-1)}`
  }
}

/** Once nothing is in flight any more, or as they are when that takes too long. */
async function samplesAtRest(gateway: Gateway): Promise<Sample[]> {
  let samples: Sample[] = []
  await eventually(async () => {
    samples = await gateway.metrics()
    return [...leftovers(samples)].length === 0
  }, REST_WITHIN_MS)
  return samples
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
  if (errors !== 0) yield `${errors} errors that nothing caught`
}

function* miscounts({ records }: Gateway, samples: readonly Sample[]): Iterable<string> {
  const all = sumOf(samples, 'svodka_http_requests_total')
  if (all !== records.length) yield `${all} requests counted, ${records.length} sent`
  const whole = records.filter(({ torn }) => torn === undefined)
  const torn = records.length - whole.length
  const counted = new Set(samples.map(({ labels }) => labels['status']).filter(Boolean))
  for (const status of new Set([...counted, ...whole.map(record => String(record.status))])) {
    const own = whole.filter(record => String(record.status) === status).length
    const theirs = sumOf(samples, 'svodka_http_requests_total', { status: status ?? '' })
    if (theirs < own || theirs > own + torn) {
      yield `${theirs} answers of ${status} counted, ${own} received`
    }
  }
  const codes = new Set(whole.map(({ code }) => code).filter(code => code !== undefined))
  for (const code of codes) {
    const own = whole.filter(record => record.code === code).length
    const theirs = sumOf(samples, 'svodka_problems_total', { code })
    if (theirs < own || theirs > own + torn) yield `${theirs} of ${code} counted, ${own} received`
  }
}

/** Statements of the gateway that still run on a server. */
async function activity(nodes: readonly Node[]): Promise<string[]> {
  const found: string[] = []
  for (const node of nodes) {
    let count = 0
    await eventually(async () => {
      count = await running(node)
      return count === 0
    }, REST_WITHIN_MS)
    if (count > 0) found.push(`${count} statements still run on the ${node.server.name}`)
  }
  return found
}

/** Reports and look-ups of keys that run now. */
export async function running(node: Node): Promise<number> {
  const sql = `select count(*) from pg_stat_activity
    where application_name in ('svodka reports', 'svodka keys') and state <> 'idle'`
  return Number(await node.ask(sql))
}

function* growth({ pid, memoryAtStart }: Gateway, atMostMiB: number): Iterable<string> {
  const mebibytes = (memoryBytes(pid) - memoryAtStart) / MEBIBYTE
  if (mebibytes > atMostMiB) yield `memory grew by ${mebibytes.toFixed(0)} MiB`
}

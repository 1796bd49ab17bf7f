/** Typical observations, and their log lines and metrics. */
import { afterEachTest } from '../harness/after-each.ts'
import { expect } from 'chai'
import type { ProblemCode } from '../../src/model/errors.ts'
import type { Gauges } from '../../src/model/gauges.ts'
import { type Fact, type Observation, POOLS } from '../../src/model/observation.ts'
import { readDocument, rowsOf } from '../harness/document.ts'
import { createLog, type Log, type LogOptions } from '../../src/serve/observe/log.ts'
import { createMetrics, type Metrics } from '../../src/serve/observe/metrics.ts'

export const request = (fields: Partial<Fact<'request'>> = {}): Fact<'request'> => ({
  kind: 'request',
  requestId: 'r-1',
  method: 'GET',
  route: 'report',
  report: 'profit_loss',
  status: 200,
  problem: undefined,
  durationMs: 1,
  sentBytes: 10,
  shortcut: false,
  aborted: false,
  organizationId: 'o-1',
  ...fields,
})

/** Fields of a request with a problem response. */
export const problem = (
  status: number,
  code: ProblemCode,
  fields: Partial<Fact<'request'>> = {},
): Fact<'request'> => request({ status, problem: code, ...fields })

export const run = (fields: Partial<Fact<'execution'>>): Fact<'execution'> => ({
  kind: 'execution',
  plan: 'own',
  definition: 'profit_loss',
  outcome: 'ok',
  queueMs: 0,
  durationMs: 1,
  rowCount: 1,
  error: undefined,
  ...fields,
})

/** An error with the fields of a library. */
export const failure = (message: string, fields: object = {}): Error =>
  Object.assign(new Error(message), fields)

export interface Captured extends Log {
  readonly texts: string[]
  /** The parsed lines so far. */
  lines(): Record<string, unknown>[]
  pass(seconds: number): void
}

/** A log with a simulated clock; closed after each test. */
export function capture(options: Partial<LogOptions> = {}): Captured {
  const texts: string[] = []
  let time = Date.parse('2026-11-21T10:00:00Z')
  const log = createLog({
    level: 'info',
    pretty: false,
    now: () => time,
    wall: () => time,
    destination: { write: line => void texts.push(line), end: () => {} },
    ...options,
  })
  afterEachTest.push(() => log.close())
  return {
    ...log,
    texts,
    lines: () => texts.map(text => JSON.parse(text) as Record<string, unknown>),
    pass: seconds => void (time += seconds * 1000),
  }
}
/** Fields of log lines, as config/README.md names them. */
export const documentedFields = (): string[] =>
  rowsOf(readDocument('config/README.md').section('Logs'))
    .flatMap(([names = '']) => names.split(', '))
    .map(name => name.replaceAll('`', ''))

const unreached = { isReached: false, lagSeconds: undefined, isUsable: false }
const checks = { lookUpFailure: undefined, checkFailure: undefined }

export const GAUGES: Gauges = {
  cache: () => ({ byteCount: 1000, maxBytes: 4000, entryCount: 3, aliasByteCount: 500 }),
  pools: () =>
    POOLS.map(pool => ({ pool, replica: 'one:5432', inUse: 2, idle: 1, waiting: 4, max: 8 })),
  replicas: ['one:5432'],
  keyDatabases: () => [
    { replica: 'one:5432', isReached: true, lagSeconds: 2.5, isUsable: true, ...checks },
    { replica: 'two:5432', ...unreached, ...checks },
  ],
  inFlight: () => 5,
  queueLength: () => 6,
  invalidAccessRowCount: () => 3,
  bufferedBytes: () => ({ spooledBytes: 7000, maxSpooledBytes: 9000, heldBytes: 300 }),
  checks: () => [
    { name: 'keys', ok: true },
    { name: 'not draining', ok: false },
  ],
  definitions: () => [
    { name: 'profit_loss', timeoutMs: 30_000, maxRows: 500 },
    { name: 'cash_flow', timeoutMs: 10_000, maxRows: 600 },
    { name: 'metrics/finance', timeoutMs: 5000 },
  ],
  refusedDefinitionCount: () => 2,
  busiestRatio: () => 0.75,
}

/** Metrics of a small catalog and one replica. */
export const metricsOf = (gauges = GAUGES): Metrics =>
  createMetrics(gauges, { version: '1.2.3' }, () => 1_700_000_000_000)

/** Values of svodka's series. The key `problems_total overloaded` is the name without `svodka_`, then the label values. */
export async function read(metrics: Metrics): Promise<Map<string, number>> {
  const { text } = await metrics.exposition()
  const series = text.matchAll(/^svodka_(\w+?)(?:\{(.*)\})? (\S+)$/gm)
  return new Map(
    Array.from(series, ([, name, labels = '', value]) => {
      const values = Array.from(labels.matchAll(/"((?:[^"\\]|\\.)*)"/g), label => label[1])
      return [[name, ...values].join(' '), value === 'Nan' ? Number.NaN : Number(value)]
    }),
  )
}

/** Seconds that pass, an observation, or a call of the log. */
export type Step = Observation | number | 'flush' | 'close'

export const times = (count: number, ...steps: Step[]): Step[] =>
  Array.from({ length: count }, () => steps).flat()

const partsOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map(part => part.trim())
    .filter(part => part !== '')

/**
 * Tests that observations produce exactly these lines and change exactly these series.
 * @param lines `level: message`, each on a line, perhaps ` | ` and the values of some fields
 * @param moved series as named by `read`, without buckets, each with its value and a comma; if undefined, not checked
 */
export function happens(
  title: string,
  steps: readonly Step[],
  lines: string,
  moved?: string,
): void {
  it(title, async () => {
    const log = capture()
    const metrics = metricsOf()
    const before = await read(metrics)
    for (const step of steps) {
      if (typeof step === 'number') log.pass(step)
      else if (typeof step === 'string') log[step]()
      else {
        log.observe(step)
        metrics.observe(step)
      }
    }
    const expected = partsOf(lines, '\n')
    const found = log.lines().map((line, at) => {
      const text = `${String(line['level'])}: ${String(line['msg'])}`
      const [, fields = ''] = expected[at]?.split(' | ') ?? []
      const names = partsOf(fields, ',').map(field => field.split(' ')[0]!)
      const values = names.map(name => `${name} ${String(line[name])}`)
      return values.length === 0 ? text : `${text} | ${values.join(', ')}`
    })
    expect(found).to.deep.equal(expected)
    if (moved === undefined) return
    const after = [...(await read(metrics))].filter(
      ([series, value]) => !/_bucket /.test(series) && !Object.is(before.get(series) ?? 0, value),
    )
    const series = after.map(([name, value]) => `${name} ${value}`)
    expect(series.toSorted()).to.deep.equal(partsOf(moved, ',').toSorted())
  })
}

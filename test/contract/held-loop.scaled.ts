// A gateway that did nothing for seconds, although its databases responded in time.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { withClient } from '../../src/demo/connection.ts'
import { startWire, type Wire } from '../database/wire.ts'
import { asker } from '../harness/ask.ts'
import { scrape, sumOf } from '../harness/exposition.ts'
import { fixtures } from '../harness/fixtures.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { processesOfTests, type ServingProcess } from '../harness/shops-gateway.ts'
import { run, sharedShops, type Shops } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { coldPath, shopsFolder } from './gateways.ts'

/** At this signal a gateway holds its event loop. */
const HOLD = `process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500))`

async function stopProcess({ child }: ServingProcess): Promise<void> {
  child.kill('SIGSTOP')
  await sleep(3000)
  child.kill('SIGCONT')
}

async function holdLoop({ child, opsUrl }: ServingProcess): Promise<void> {
  child.kill('SIGUSR2')
  // why: the database gets what was sent, and responds, once the loop is held
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await fetch(`${opsUrl}/livez`)
}

const PROBE = ['a probe', 'pg_is_wal_replay_paused'] as const
const LOG_IN = ['new connections for reports are made', 'svodka reports'] as const
const KEYS = ['new connections for keys are made', 'svodka keys'] as const
/** What is done to the gateway when it has sent this text to the database. */
const CASES = [
  ['whose process is stopped for 3 s', stopProcess, PROBE],
  ['that is held for 2.5 s', holdLoop, LOG_IN],
  ...(IS_PROOF
    ? ([
        ['that is held for 2.5 s', holdLoop, PROBE],
        ['whose process is stopped for 3 s', stopProcess, LOG_IN],
        ['whose process is stopped for 3 s', stopProcess, KEYS],
        ['that is held for 2.5 s', holdLoop, KEYS],
      ] as const)
    : []),
] as const

/** Each stays 0. */
const FAILURES = [
  'svodka_db_connections_lost_total',
  'svodka_replica_probe_failures_total',
  'svodka_replica_circuit_openings_total',
  'svodka_key_lookup_failures_total',
]

describe('an event loop', () => {
  const start = processesOfTests()
  let shops: Shops
  let gateway: ServingProcess
  let wire: Wire
  let onBytes: (bytes: Buffer) => void

  before(async () => (shops = await sharedShops()))
  beforeEach(async () => {
    onBytes = () => {}
    wire = await startWire(shops.replicaUrl, {
      toServer(bytes) {
        onBytes(bytes)
        return bytes
      },
    })
    gateway = await start({
      DATABASE_URL: wire.url,
      // why: its limits are shorter than the time in which the gateway does nothing
      SQL_DIR: shopsFolder(fixtures('reports/sales/hurried')),
      REPORT_POOL_SIZE: '4',
      QUEUE_TIMEOUT: '2s',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOLD)}`,
    })
  })
  afterEach(() => wire.close())

  async function backends(): Promise<number[]> {
    const sql = `select pid from pg_stat_activity
      where application_name ~ '^svodka (reports|keys|probe)' and datname = 'shops'`
    return (await run<{ pid: number }>(shops.replicaUrl, sql)).map(({ pid }) => pid)
  }

  for (const [title, hold, [moment, text]] of CASES) {
    it(`${title} during ${moment} breaks no connection, and no request is refused`, async () => {
      const ask = asker(gateway.url, 'key of shop 1')
      const outcomes: string[] = []
      let day = 0
      const over = new AbortController()
      const paths = [
        () => '/reports/receipts',
        () => '/ping',
        () => coldPath('receipts', (day += 1)),
        () => coldPath('hurried', (day += 1)),
      ]
      const client = async (_: unknown, at: number): Promise<void> => {
        while (!over.signal.aborted) {
          const { status, json } = await ask(paths[at % paths.length]!())
          outcomes.push(status === 200 ? 'ok' : json.code)
          await sleep(5)
        }
      }
      // why: without commits, the lag of a standby is unknown after a while
      const commit = (): Promise<void> =>
        withClient(shops.primaryUrl, async client => {
          while (!over.signal.aborted) {
            await client.query('select pg_current_xact_id()')
            await sleep(5)
          }
        })
      const before = await backends()
      const held = new Promise<void>(resolve => {
        onBytes = bytes => {
          if (!bytes.includes(text)) return
          onBytes = () => {}
          void hold(gateway).then(resolve)
        }
      })
      const load = [commit(), ...Array.from({ length: 16 }, client)]
      await held
      const heldAt = outcomes.length
      await until(() => outcomes.length > heldAt + 300)
      const after = await backends()
      over.abort()
      await Promise.all(load)
      const samples = await scrape(gateway.opsUrl)
      expect([...new Set(outcomes)]).to.deep.equal(['ok'])
      expect(after).to.include.members(before)
      for (const name of FAILURES) expect(sumOf(samples, name), name).to.equal(0)
    })
  }
})

// Every definition and its oracle on PostgreSQL 15, the oldest supported version: Debian's, with the product's schema,
// roles and demo.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { serverAccount } from '../../src/demo/account.ts'
import type { Cluster } from '../../src/demo/cluster.ts'
import { freePort } from '../../src/demo/ports.ts'
import { seedDemo } from '../../src/demo/seed.ts'
import { run } from '../harness/shops.ts'
import { skip } from '../harness/skip.ts'
import { until } from '../harness/until.ts'
import { comparisonsOf } from './comparison.ts'
import { rawRows } from './run.ts'
import { connected, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const PRODUCT = fileURLToPath(new URL('../../../sql/product', import.meta.url))
const ORGANIZATIONS = new Set([
  'the median organization',
  'the one in Vladivostok',
  'the empty one',
])
const comparisons = await comparisonsOf(ourCatalog())

/** @returns the server's URLs and data for `seedDemo`, and what stops it */
async function startServer(): Promise<{ cluster: Cluster; stop: () => Promise<void> }> {
  const account = serverAccount()
  const folder = mkdtempSync('/tmp/svodka-postgres-15-')
  account.give(folder)
  const data = join(folder, 'data')
  const initdb = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ]
  execFileSync(`${BIN}/initdb`, initdb, { ...account.ids, cwd: '/', stdio: 'pipe' })
  const port = await freePort()
  const settings = ['fsync=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1']
  const options = [...settings.flatMap(setting => ['-c', setting]), '-p', String(port)]
  const server = spawn(`${BIN}/postgres`, ['-D', data, ...options], {
    ...account.ids,
    cwd: '/',
    stdio: 'ignore',
  })
  const kill = (): void => void server.kill('SIGQUIT')
  process.once('exit', kill)
  const database = 'svodka_15'
  const urlFor: Cluster['urlFor'] = (role, _side, name = database) =>
    `postgres://${role}:x@127.0.0.1:${port}/${name}`
  const stop = async (): Promise<void> => {
    process.off('exit', kill)
    kill()
    if (server.exitCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
  await until(() => run(urlFor('postgres', 'primary', 'postgres'), 'select 1').catch(() => false))
  const cluster = {
    folder,
    database,
    urlFor,
    passwordOf: () => 'x',
    replicaCaughtUp: async () => {},
  }
  return { cluster: cluster as unknown as Cluster, stop }
}

describe('the catalogue, over the demo on PostgreSQL 15', function () {
  this.timeout(180_000)
  let stop: (() => Promise<void>) | undefined
  let client: Client | undefined

  before(async function () {
    if (!existsSync(`${BIN}/postgres`)) skip(this, `there is no ${BIN}: install postgresql-15`)
    const server = await startServer()
    stop = server.stop
    await seedDemo(server.cluster, { directory: PRODUCT, scale: 0.1 })
    client = await connected(server.cluster.urlFor('svodka_reports', 'replica'))
  })
  after(async () => {
    await client?.end()
    await stop?.()
  })

  for (const { name, id, timeZone } of DEMO_ORGANIZATIONS.filter(one =>
    ORGANIZATIONS.has(one.name),
  )) {
    for (const { name: period, question } of questions(Date.now, timeZone)) {
      it(`each definition agrees with its oracle for ${name} over ${period}`, async () => {
        const rows = await rawRows(client!, id)
        for (const { compare } of comparisons) {
          await compare(client!, { organizationId: id, question, rows })
        }
      })
    }
  }
})

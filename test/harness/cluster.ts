// A primary and a hot standby for each test process, with a tenth of the demo's data. Their data are copied from a
// cluster made once a day, and they start for the first file that needs them (1.5 s). A file may pause its servers or
// change their data without effect on other processes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverAccount } from '../../src/demo/account.ts'
import { startCluster, type Cluster } from '../../src/demo/cluster.ts'
import { withClient } from '../../src/demo/connection.ts'
import { folderFor } from '../../src/demo/folder.ts'
import { localDate } from '../../src/definitions/calendar.ts'
import { takeFolder } from '../../src/demo/lock.ts'
import { seedDemo } from '../../src/demo/seed.ts'
import { CLOCK_OF_SERVERS } from './clock.ts'

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const PRODUCT = join(CHECKOUT, 'sql/product')
const FOLDER = join(CHECKOUT, process.env['TEST_DATA'] ?? '.demo/test')
const MADE = join(FOLDER, 'made.json')
/** The only process uses the data themselves, which are then removed. */
const IS_USED_ONCE = process.env['TEST_DATA_ONCE'] === 'true'
const DATABASE = 'svodka_test'
/** why: tests log in thousands of times, and a client computes 4096 hashes for each by default */
const CHEAP_LOG_IN = { scram_iterations: '1' }

/** The data to copy. */
interface Made {
  readonly fingerprint: string
  readonly folder: string
}

let shared: Promise<Cluster> | undefined

/**
 * For `before` hooks with `this.timeout(30_000)`. A file must restore the servers and their tables for later files of
 * the same process. A file that promotes a server must start a separate cluster.
 */
export function sharedCluster(): Promise<Cluster> {
  shared ??= startCopy()
  return shared
}

async function startCopy(): Promise<Cluster> {
  const directory = join(FOLDER, `process-${process.env['MOCHA_WORKER_ID'] ?? 'alone'}`)
  const { folder } = JSON.parse(readFileSync(MADE, 'utf8')) as Made
  // why -a: if root executes the tests, the data belong to another user
  execFileSync('cp', ['-a', `${folder}/.`, folderFor(serverAccount(), directory)])
  const cluster = await startCluster({
    directory,
    database: DATABASE,
    settings: CHEAP_LOG_IN,
    environment: CLOCK_OF_SERVERS,
  })
  if (!cluster.fresh) return cluster
  await cluster.stop('immediate')
  throw new Error(`another version of PostgreSQL made ${folder}: remove ${FOLDER}`)
}

/** Stops the cluster of this process, if it was started. */
export async function stopSharedCluster(): Promise<void> {
  const cluster = await shared?.catch(() => undefined)
  await cluster?.stop('immediate')
}

/**
 * Makes the data to copy, unless those of today exist.
 * @returns a function that allows the next run to begin.
 * @throws FolderInUse if another run of this checkout's tests is in progress.
 */
export async function prepareClusters(): Promise<() => void> {
  mkdirSync(FOLDER, { recursive: true })
  const giveUp = takeFolder(FOLDER)
  for (const name of readdirSync(FOLDER).filter(name => name.startsWith('process-')))
    // why: servers of an earlier run may still be stopping
    rmSync(join(FOLDER, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  const wanted = fingerprint()
  if (existsSync(MADE) && (JSON.parse(readFileSync(MADE, 'utf8')) as Made).fingerprint === wanted)
    return giveUp
  const directory = join(FOLDER, 'template')
  rmSync(MADE, { force: true })
  rmSync(directory, { recursive: true, force: true })
  process.stdout.write("Making today's data of a primary and a standby, which tests copy ...\n")
  // why: every process copies the WAL, too
  const settings = { min_wal_size: '32MB', max_wal_size: '64MB', wal_recycle: 'off' }
  const cluster = await startCluster({
    directory,
    database: DATABASE,
    settings: { ...CHEAP_LOG_IN, ...settings },
    environment: CLOCK_OF_SERVERS,
  })
  try {
    const superuser = `alter role postgres password '${cluster.passwordOf('postgres')}'`
    await withClient(cluster.primaryUrl, client => client.query(superuser))
    await seedDemo(cluster, { directory: PRODUCT, scale: 0.1 })
    if (IS_USED_ONCE) shared = Promise.resolve(cluster)
  } finally {
    if (!shared) await cluster.stop()
  }
  if (IS_USED_ONCE) return giveUp
  const made: Made = { fingerprint: wanted, folder: cluster.folder }
  writeFileSync(MADE, JSON.stringify(made))
  return giveUp
}

/** Hash of everything that the data depend on, except PostgreSQL's version. */
function fingerprint(): string {
  // The day for which seedDemo makes data.
  const day = localDate(Date.now(), 'Europe/Kaliningrad')
  const hash = createHash('sha256').update(day)
  for (const folder of [PRODUCT, join(CHECKOUT, 'src/demo')]) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
    for (const file of files.filter(name => /\.(?:sql|ts)$/.test(name)))
      hash.update(readFileSync(join(folder, file)))
  }
  return hash.digest('hex')
}

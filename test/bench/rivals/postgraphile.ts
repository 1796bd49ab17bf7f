// PostGraphile 5 in front of the same standby, with the gateway's role for reports and our definitions as functions.
import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withClient } from '../../../src/demo/connection.ts'
import { Missing } from '../bench.ts'
import type { Bench } from '../bench.ts'
import { run } from '../commands.ts'
import { startServer } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import type { Subject } from '../subject.ts'
import { createFunction, SCHEMA } from './sql-function.ts'

const SERVER = 'postgraphile-server.mjs'
const SOURCE = fileURLToPath(new URL(`../../../../test/bench/rivals/${SERVER}`, import.meta.url))
const INSTALLED_WITHIN_MS = 180_000
/** It requires a newer Node than the gateway. */
const LEAST_NODE = 22
const NODE = `node-${process.platform}-${process.arch}`
const IS_NODE_NEW = Number(process.versions.node.split('.')[0]) >= LEAST_NODE
const VERSIONS = {
  postgraphile: '5.1.5',
  graphql: '16.12.0',
  pg: '8.23.1',
  ...(IS_NODE_NEW ? {} : { [NODE]: '24.18.0' }),
}

/** @throws Missing if npm cannot install it. */
export async function startPostgraphile(
  bench: Bench,
  subjects: readonly Subject[],
): Promise<ServerProcess> {
  const folder = await fetched(bench)
  copyFileSync(SOURCE, join(folder, SERVER))
  const { cluster, urls } = bench.product
  const drop = `drop schema if exists ${SCHEMA} cascade;`
  const definitions = new Set(subjects.map(({ definition }) => definition))
  await withClient(urls.primary, async client => {
    await client.query(
      `${drop} create schema ${SCHEMA}; grant usage on schema ${SCHEMA} to svodka_reports`,
    )
    for (const definition of definitions) await createFunction(client, definition)
  })
  bench.onEnd(() => withClient(urls.primary, async client => void (await client.query(drop))))
  await cluster.replicaCaughtUp()
  return startServer(bench, {
    name: 'postgraphile',
    command: [
      IS_NODE_NEW ? process.execPath : join(folder, 'node_modules', NODE, 'bin', 'node'),
      join(folder, SERVER),
    ],
    env: { GRAPHILE_ENV: 'production', DATABASE_URL: urls.reports, RIVAL_SCHEMA: SCHEMA },
  })
}

/** Installs it from npm into a folder that later runs reuse. It is not among the project's dependencies. */
async function fetched(bench: Bench): Promise<string> {
  const own = join(tmpdir(), `svodka-bench-rivals-${process.getuid?.() ?? 0}`)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  // why: other users may write to the temporary folder, and programs in this folder are executed
  if (lstatSync(own).uid !== process.getuid?.()) throw new Missing(`${own} belongs to another user`)
  const folder = join(own, `postgraphile-${VERSIONS.postgraphile}-${process.versions.modules}`)
  const whole = join(folder, 'whole')
  if (existsSync(whole)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const manifest = { private: true, type: 'module', dependencies: VERSIONS }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  bench.progress(`fetching PostGraphile from npm, ${INSTALLED_WITHIN_MS / 1000} s at most`)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const signal = AbortSignal.any([bench.signal, AbortSignal.timeout(INSTALLED_WITHIN_MS)])
  try {
    await run(['npm', 'install', ...flags, '--loglevel=error'], { cwd: folder, signal })
  } catch (error) {
    bench.signal.throwIfAborted()
    rmSync(folder, { recursive: true, force: true })
    throw new Missing(`npm cannot install PostGraphile: ${String(error).slice(0, 300)}`)
  }
  writeFileSync(whole, '')
  return folder
}

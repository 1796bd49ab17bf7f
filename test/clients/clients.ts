// Client programs, and a gateway for them with a ledger of all column types in test/clients/reports.
import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { TestGatewayOptions } from '../harness/gateway.ts'
import { SHOPS_SQL_DIR } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { shopsGateway, type World } from '../harness/shops-gateway.ts'
import { skip } from '../harness/skip.ts'
import { writeFiles } from '../harness/write-files.ts'
import { SCOPES } from '../contract/scopes.ts'

/** The source folder, since reports and some scripts are not compiled. */
const HERE = fileURLToPath(new URL('../../../test/clients', import.meta.url))

export const KEY = 'key of shop 1'
export const YEAR = 'from=2026-01-01&to=2026-12-31'

/** Path of a script as a user would write it. */
export const scriptPath = (name: string): string => join(HERE, 'scripts', name)

/** As `shopsGateway`, with keys that may read less, and the additional reports `ledger`, `noise` and `signed`. */
export function clientsGateway(
  environment: NodeJS.ProcessEnv = {},
  options: TestGatewayOptions = {},
): World {
  const folder = temporaryFolder()
  cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
  cpSync(join(HERE, 'reports'), join(folder, 'reports'), { recursive: true })
  writeFiles(folder, SCOPES)
  return shopsGateway({ ...environment, SQL_DIR: folder }, options)
}

/** `http://127.0.0.1:PORT/api/public/v1/reports` */
export const reportsUrl = (url: string): string => `${url}/api/public/v1/reports`

/** Writes a report to a file. @returns its path */
export async function download(world: World, path: string, file: string): Promise<string> {
  const { status, bytes } = await world.ask(`/reports/${path}`)
  if (status !== 200) throw new Error(`${path} has the status ${status}`)
  writeFileSync(file, bytes)
  return file
}

/** The totals of a report's JSON as digits, since sums may exceed 2^53. */
export function exactTotals(text: string): Record<string, string> {
  const totals = /"totals":(\{[^}]*\})/.exec(text)?.[1] ?? '{}'
  const figures = [...totals.matchAll(/"(\w+)":(-?[\d.]+)/g)]
  return Object.fromEntries(figures.map(([, key = '', digits = '']) => [key, digits]))
}

interface Ended {
  /** -1 if a signal ended the program. */
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** why: spawnSync would block the gateway in this process */
export function start(
  program: string,
  options: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Running {
  const child = spawn(program, options, {
    cwd,
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve(code ?? -1))
  }).finally(() => process.off('exit', kill))
  const ended = Promise.all([exitCode, buffer(child.stdout), buffer(child.stderr)]).then(
    ([code, stdout, stderr]) => ({ exitCode: code, stdout, stderr: stderr.toString() }),
  )
  return { child, ended }
}

export function run(program: string, options: readonly string[], cwd?: string): Promise<Ended> {
  return start(program, options, cwd === undefined ? {} : { cwd }).ended
}

/** The output as JSON. @throws Error with the output if the program fails */
export async function jsonOutputOf(program: string, options: readonly string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await run(program, options)
  if (exitCode !== 0) {
    throw new Error(`${program} ended with ${exitCode}, expected 0: ${stderr || stdout.toString()}`)
  }
  return JSON.parse(stdout.toString())
}

/** For hooks: returns the first program that works with these options; skips with a message if none does. */
export async function needs(
  context: Mocha.Context,
  debianPackage: string,
  programs: readonly string[],
  options: readonly string[],
): Promise<string> {
  for (const program of programs) {
    const ended = await run(program, options).catch(() => undefined)
    if (ended?.exitCode === 0) return program
  }
  return skip(
    context,
    `${programs[0]} does not run with ${options.join(' ')}: install ${debianPackage}`,
  )
}

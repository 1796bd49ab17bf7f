// Packages of rivals, fetched from npm into a folder of their own that is kept for the next run. None of them is ever
// among the project's dependencies.
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Missing } from '../bench.ts'
import type { Bench } from '../bench.ts'

export interface Packages {
  /** Names the folder. */
  readonly name: string
  /** Exact versions. */
  readonly versions: Readonly<Record<string, string>>
  /** Without their install scripts, where none is needed. */
  readonly ignoreScripts: boolean
  readonly withinMs: number
}

/** @returns the folder with `node_modules`. @throws Missing saying why npm does not bring them. */
export async function fetched(bench: Bench, packages: Packages): Promise<string> {
  const { name, versions } = packages
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: versions })
  // why: what is compiled at installation fits one Node only
  const hash = createHash('sha256').update(`${manifest}${process.versions.modules}`).digest('hex')
  const folder = join(ownFolder(), `${name}-${hash.slice(0, 12)}`)
  const whole = join(folder, 'whole')
  if (existsSync(whole)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), manifest)
  bench.progress(`fetching ${name} from npm, ${packages.withinMs / 1000} s at most`)
  await install(bench, folder, packages)
  writeFileSync(whole, '')
  return folder
}

/** Others may write where temporary files lie: what is run from there has to be ours. */
function ownFolder(): string {
  const folder = join(tmpdir(), `svodka-bench-rivals-${process.getuid?.() ?? 0}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid))
    throw new Missing(`${folder} is not a folder of ours`)
  return folder
}

async function install(bench: Bench, folder: string, packages: Packages): Promise<void> {
  const { name, ignoreScripts, withinMs } = packages
  const logFile = join(folder, 'npm.log')
  const log = openSync(logFile, 'a')
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const scripts = ignoreScripts ? ['--ignore-scripts'] : []
  const child = bench.watchdog.spawn('npm', ['install', ...flags, ...scripts], {
    signal: 'KILL',
    env: process.env,
    cwd: folder,
    stdout: log,
    stderr: log,
  })
  closeSync(log)
  let isLate = false
  // why the group: a compiler that npm started would go on beside what is measured
  const kill = () => void (child.pid === undefined || process.kill(-child.pid, 'SIGKILL'))
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, withinMs)
  bench.signal.addEventListener('abort', kill)
  const code = await new Promise<number | null>(resolve => {
    child.once('exit', resolve).once('error', () => resolve(null))
  })
  clearTimeout(timer)
  bench.signal.removeEventListener('abort', kill)
  bench.signal.throwIfAborted()
  if (code === 0) return
  const said = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('npm error'))
  const reason = isLate ? `not done after ${withinMs / 1000} s` : said.slice(0, 2).join(' ')
  rmSync(folder, { recursive: true, force: true })
  throw new Missing(`npm does not install ${name}: ${reason || `it ended with ${code}`}`)
}

/**
 * `make prove`: the parts that are too slow for `make test`: proofs (`*.proof.ts` and `*.scaled.ts`) of each folder, then faults and
 * attacks by group. ONLY=faults or ONLY='attacks crowds' runs some. Exit codes: 0 all executed parts pass, 1 a part fails, 2 there is no such part.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GROUPS as ATTACKS } from '../attacks/groups.ts'
import { GROUPS as FAULTS } from '../faults/groups.ts'

interface Part {
  /** A folder with proofs, or a program and its group: `faults restarts`. */
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Repeated once if it fails. */
  readonly isTimed?: true
}

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--config', 'config/mocha.cjs']
const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const LOGS = join(CHECKOUT, '.demo/prove')
/** Approximate durations of parts on 2 cores; other parts take less than a minute. */
const SECONDS: Readonly<Record<string, number>> = {
  alerts: 400,
  calendar: 1200,
  contract: 120,
  definitions: 70,
  explorer: 60,
  topology: 130,
  pack: 300,
  sql: 180,
  'contract fast path off': 80,
  'faults restarts': 70,
  'faults network': 115,
  'faults lag': 105,
  'attacks crowds': 480,
  'attacks strangers': 100,
  'attacks fuzz': 340,
}

/** Lines of skipped tests and scenarios, and of figures. */
const PRINTED = /^ +skipped .*|.*not on this machine.*|^ +price .*/gm

const { ONLY = '' } = process.env
const startedAt = performance.now()
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const seconds = (): number => Math.round((performance.now() - startedAt) / 1000)
const parts = [
  ...foldersWithProofs(),
  withoutFastPath(),
  ...groupsOf('faults', FAULTS),
  ...groupsOf('attacks', ATTACKS),
]
const chosen = parts
  .filter(({ name }) => name.includes(ONLY))
  .toSorted((one, other) => secondsOf(one) - secondsOf(other))
if (chosen.length === 0) {
  print(`ONLY is ${ONLY}, expected a part: ${parts.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
mkdirSync(LOGS, { recursive: true })
const failing: string[] = []
for (const part of chosen) {
  // why: figures of faults and attacks are times, which other load of the machine affects
  if (!(await isProved(part)) && !(part.isTimed && (await isProved(part)))) failing.push(part.name)
}
print(`${chosen.length - failing.length} of ${chosen.length} parts proved in ${seconds()} s`)
if (failing.length > 0) print(`Fail: ${failing.join(', ')}`)
process.exitCode = failing.length > 0 ? 1 : 0

function foldersWithProofs(): Part[] {
  const files = readdirSync(join(CHECKOUT, 'dist/test'), { recursive: true, encoding: 'utf8' })
  const folders = files
    .filter(file => /\.(?:proof|scaled)\.js$/.test(file))
    .map(file => file.replace(/\/.*/, ''))
  return [...new Set(folders)].map(folder => ({
    name: folder,
    args: MOCHA,
    env: { PROOFS: folder, ONLY: '' },
  }))
}

/** The tests of `contract`, which `make test` executes with the fast path. */
function withoutFastPath(): Part {
  return {
    name: 'contract fast path off',
    args: MOCHA,
    env: { FAST_PATH: 'off', ONLY: 'contract' },
  }
}

function groupsOf(program: string, groups: object): Part[] {
  return Object.keys(groups).map(group => ({
    name: `${program} ${group}`,
    args: [`dist/test/${program}/main.js`],
    env: { ONLY: group },
    isTimed: true,
  }))
}

function secondsOf({ name }: Part): number {
  return SECONDS[name] ?? 60
}

/** Prints a line with a dot every 5 s, then skipped tests and figures, or the whole output of a failed part. */
async function isProved(part: Part): Promise<boolean> {
  const { name, args, env } = part
  process.stdout.write(`${name.padEnd(24)} about ${String(secondsOf(part)).padStart(4)} s: `)
  const began = seconds()
  const logFile = join(LOGS, `${name.replace(' ', '-')}-${began}.log`)
  const log = createWriteStream(logFile)
  await once(log, 'open')
  const dots = setInterval(() => process.stdout.write('.'), 5000)
  const child = spawn(process.execPath, args, {
    cwd: CHECKOUT,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  })
  const [code] = await once(child, 'exit')
  clearInterval(dots)
  const text = readFileSync(logFile, 'utf8')
  print(` ${code === 0 ? 'proved' : 'FAILS'} in ${seconds() - began} s`)
  if (code === 0) for (const line of text.match(PRINTED) ?? []) print(`    ${line.trim()}`)
  else print(`${text.slice(-20_000)}\nAll of it: ${logFile}`)
  return code === 0
}

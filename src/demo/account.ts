// The user that the demo's servers run as: PostgreSQL refuses root, and initdb wants a passwd entry for its user.
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

export interface Account {
  name: string
  /** To be spread into spawn's options; empty if the servers run as ourselves. */
  ids: { uid?: number; gid?: number }
  /** Gives a file or folder to the account. */
  give: (path: string) => void
}

/** Users that exist for having no rights, in order of preference. macOS has `_postgres`. */
const unprivileged = ['postgres', '_postgres', 'nobody']

/** @throws Error if PostgreSQL cannot run as the present user and, for root, as nobody else either. */
export function serverAccount(): Account {
  const uid = process.getuid?.()
  if (uid === undefined) throw new Error('The demo needs Linux (glibc) or macOS.')
  if (uid === 0) return unprivilegedAccount()
  try {
    return { name: userInfo().username, ids: {}, give: () => {} }
  } catch (cause) {
    throw new Error(
      `The demo's PostgreSQL needs a passwd entry for its user, and user id ${uid} has none: run as a user with a name, or as root.`,
      { cause },
    )
  }
}

function unprivilegedAccount(): Account {
  for (const name of unprivileged) {
    const uid = idOf(name, '-u')
    const gid = idOf(name, '-g')
    if (uid === undefined || gid === undefined) continue
    // macOS numbers nobody -2: spawn takes a signed number, chown an unsigned one.
    const ids = { uid: uid | 0, gid: gid | 0 }
    return { name, ids, give: path => chownSync(path, uid >>> 0, gid >>> 0) }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and there is no user ${unprivileged.join(', ')} to run it as: run as an ordinary user.`,
  )
}

function idOf(name: string, flag: '-u' | '-g'): number | undefined {
  try {
    return Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

/** Whether the account can be given a folder in this one and can reach it: not so under root's home. */
export function canLiveIn(account: Account, folder: string): boolean {
  const probe = join(folder, `probe-${process.pid}`)
  try {
    mkdirSync(probe, { recursive: true, mode: 0o700 })
    account.give(probe)
    const script = 'cd "$0" && : > written'
    return spawnSync('/bin/sh', ['-c', script, probe], { ...account.ids, cwd: '/' }).status === 0
  } catch {
    return false
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

/** Leaves a file that only the account (and we) can read. The folder must be ours, not the account's. */
export function writeFor(account: Account, path: string, text: string): void {
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  account.give(path)
}

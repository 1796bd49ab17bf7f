// The user of the demo's servers: PostgreSQL refuses to run as root, and initdb requires a passwd entry.
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

export interface Account {
  name: string
  /** Options of spawn; empty if the servers run as the current user. */
  ids: { uid?: number; gid?: number }
  /** More variables of the servers' processes. */
  environment?: NodeJS.ProcessEnv | undefined
  /** Makes the account the owner of a file or folder. */
  give: (path: string) => void
}

/** Unprivileged system users, in order of preference. macOS has `_postgres`. */
const unprivileged = ['postgres', '_postgres', 'nobody']

/** @throws Error if PostgreSQL cannot run as the current user nor, for root, as another one. */
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
    // On macOS the id of `nobody` is -2: spawn takes a signed number, chown an unsigned one.
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

/** Whether the account can own and reach a folder in this one; not possible in root's home. */
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

/** Writes a file that only the account and this process can read. The folder must not belong to the account. */
export function writeFor(account: Account, path: string, text: string): void {
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  account.give(path)
}

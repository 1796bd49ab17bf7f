/** Where the demo that runs in this checkout left its connections, for commands in other terminals. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startedAt } from './processes.ts'

/** Settings by name: `DATABASE_URL`, `KEYS_DATABASE_URL`, `PROBE_DATABASE_URL`. */
export type Connections = Readonly<Record<string, string>>

interface Left {
  readonly pid: number
  /** When the process began, as the system says it. */
  readonly since: string | undefined
  readonly connections: Connections
  /** Whether it ends with the command that started it. */
  readonly isBrief: boolean
}

const FILE = 'connections.json'
const BORROWER = 'borrower.'

/** @returns what takes them away again */
export function leaveConnections(
  directory: string,
  connections: Connections,
  { isBrief = false }: { readonly isBrief?: boolean } = {},
): () => void {
  const path = join(directory, FILE)
  const { pid } = process
  rmSync(path, { force: true })
  writeFileSync(path, JSON.stringify({ pid, since: startedAt(pid), connections, isBrief }), {
    mode: 0o600,
    flag: 'wx',
  })
  return () => rmSync(path, { force: true })
}

/**
 * Undefined where no demo runs; a crash may have left the file of one that did.
 * @param lasting none that ends with the command that started it
 */
export function runningDemo(
  directory: string,
  { lasting = false }: { readonly lasting?: boolean } = {},
): Connections | undefined {
  try {
    const text = readFileSync(join(directory, FILE), 'utf8')
    const { pid, since, connections, isBrief } = JSON.parse(text) as Left
    // why: the pid may be another process's by now
    const runs = since !== undefined && startedAt(pid) === since
    return runs && !(lasting && isBrief) ? connections : undefined
  } catch {
    return undefined
  }
}

export interface BorrowedDemo {
  readonly connections: Connections
  readonly giveBack: () => void
}

/** As `runningDemo`; the command that started it, if one did, does not stop it before it is given back. */
export function borrowDemo(directory: string): BorrowedDemo | undefined {
  if (!existsSync(join(directory, FILE))) return undefined
  const path = join(directory, `${BORROWER}${process.pid}`)
  const giveBack = () => rmSync(path, { force: true })
  // why: first said, then looked, as its owner first takes the connections away and then looks
  writeFileSync(path, String(startedAt(process.pid)))
  const connections = runningDemo(directory)
  if (connections !== undefined) return { connections, giveBack }
  giveBack()
  return undefined
}

/** Whether other commands ask the demo of this folder. */
export function isBorrowed(directory: string): boolean {
  const pids = readdirSync(directory)
    .filter(name => name.startsWith(BORROWER))
    .map(name => Number(name.slice(BORROWER.length)))
  return pids.some(pid => {
    const path = join(directory, `${BORROWER}${pid}`)
    return existsSync(path) && readFileSync(path, 'utf8') === startedAt(pid)
  })
}

/** Connections of the running demo of this checkout, in a file, for commands in other terminals. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIfPossible, startedAt } from './processes.ts'

/** Settings by name: `DATABASE_URL`, `KEYS_DATABASE_URL`, `PROBE_DATABASE_URL`. */
export type DemoConnections = Readonly<Record<string, string>>

interface ConnectionsFile {
  readonly pid: number
  /** Start time of the process, in a format of the system. */
  readonly since: string | undefined
  readonly connections: DemoConnections
  /** Whether the demo ends with the command that started it. */
  readonly isBrief: boolean
}

const FILE = 'connections.json'
const BORROWER = 'borrower.'

/** @returns a function that removes them */
export function writeConnections(
  directory: string,
  connections: DemoConnections,
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
 * Undefined if no demo runs; the file may be left from a crash.
 * @param lasting ignores a demo that ends with the command that started it
 */
export function runningDemo(
  directory: string,
  { lasting = false }: { readonly lasting?: boolean } = {},
): DemoConnections | undefined {
  try {
    const text = readFileSync(join(directory, FILE), 'utf8')
    const { pid, since, connections, isBrief } = JSON.parse(text) as ConnectionsFile
    // why: the pid may belong to another process by now
    const runs = since !== undefined && startedAt(pid) === since
    return runs && !(lasting && isBrief) ? connections : undefined
  } catch {
    return undefined
  }
}

export interface BorrowedDemo {
  readonly connections: DemoConnections
  readonly giveBack: () => void
}

/** As `runningDemo`; a command that started the demo does not stop it before `giveBack` is called. */
export function borrowDemo(directory: string): BorrowedDemo | undefined {
  // why: another user's file cannot be read, and its folder not be written to
  if (readIfPossible(join(directory, FILE)) === undefined) return undefined
  const path = join(directory, `${BORROWER}${process.pid}`)
  const giveBack = () => rmSync(path, { force: true })
  // why: the file is written before the check, because the owner removes the connections before its check
  writeFileSync(path, String(startedAt(process.pid)))
  const connections = runningDemo(directory)
  if (connections !== undefined) return { connections, giveBack }
  giveBack()
  return undefined
}

/** Whether other commands use the demo of this folder. */
export function isBorrowed(directory: string): boolean {
  const pids = readdirSync(directory)
    .filter(name => name.startsWith(BORROWER))
    .map(name => Number(name.slice(BORROWER.length)))
  return pids.some(pid => {
    const since = readIfPossible(join(directory, `${BORROWER}${pid}`))
    return since !== undefined && since === startedAt(pid)
  })
}

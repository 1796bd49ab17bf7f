// One running demo per folder: a lock file names its process, and is ignored if that process has ended.
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, readIfPossible, startedAt } from './processes.ts'

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  /** Id of the process, if known. */
  readonly pid: number | undefined

  constructor(folder: string, pid: number | undefined) {
    const howToStop = pid === undefined ? 'with Ctrl-C' : `with Ctrl-C or kill ${pid}`
    super(
      `${folder} is in use by process ${pid ?? 'unknown'} (make run or make test?): stop it first, ${howToStop}.`,
    )
    this.pid = pid
  }
}

/**
 * @returns a function that releases the folder.
 * @throws FolderInUse if a running process holds the lock.
 */
export function takeFolder(folder: string): () => void {
  const lock = join(folder, 'lock')
  const temporaryFile = join(folder, `lock.${process.pid}`)
  const holder = `${process.pid} ${startedAt(process.pid)}`
  writeFileSync(temporaryFile, holder)
  try {
    for (let attempt = 1; !tryLink(temporaryFile, lock); attempt++) {
      const pid = runningHolder(lock)
      if (pid !== undefined || attempt === 3) {
        throw new FolderInUse(folder, pid)
      }
      removeStale(lock, `${temporaryFile}.stale`)
    }
  } finally {
    rmSync(temporaryFile, { force: true })
  }
  return () => rmSync(lock, { force: true })
}

/** False if `to` exists. why: a file that is opened exclusively is empty at first; a hard link never is. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** why: since the check, another process may have replaced the stale lock by its own, which must not be removed */
function removeStale(lock: string, aside: string): void {
  try {
    renameSync(lock, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if (runningHolder(aside) !== undefined) tryLink(aside, lock)
  rmSync(aside)
}

function runningHolder(lock: string): number | undefined {
  const [pid, ...startTime] = readIfPossible(lock)?.split(' ') ?? []
  return startedAt(Number(pid)) === startTime.join(' ') ? Number(pid) : undefined
}

// One running demo to a folder: a file names the process that has it, and a dead process has nothing.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, startedAt } from './processes.ts'

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  /** Whose it is, where that can be told. */
  readonly pid: number | undefined

  constructor(folder: string, pid: number | undefined) {
    super(
      `${folder} is in use by process ${pid ?? 'unknown'} (another make run or make test?): stop it first.`,
    )
    this.pid = pid
  }
}

/**
 * @returns what gives the folder up.
 * @throws FolderInUse if a living process has it.
 */
export function takeFolder(folder: string): () => void {
  const lock = join(folder, 'lock')
  const mine = join(folder, `lock.${process.pid}`)
  const holder = `${process.pid} ${startedAt(process.pid)}`
  writeFileSync(mine, holder)
  try {
    for (let attempt = 1; !linked(mine, lock); attempt++) {
      const pid = livingHolder(lock)
      if (pid !== undefined || attempt === 3) {
        throw new FolderInUse(folder, pid)
      }
      rmSync(lock, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
  return () => rmSync(lock, { force: true })
}

/** Unlike an exclusive open, a link appears with its content. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

function livingHolder(lock: string): number | undefined {
  const [pid, ...since] = readFileSync(lock, 'utf8').split(' ')
  return startedAt(Number(pid)) === since.join(' ') ? Number(pid) : undefined
}

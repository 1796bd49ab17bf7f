/** Says when files of a folder of definitions may have changed. Reads none of them. */
import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { Milliseconds } from '../model/terms.ts'

/** An editor's save is several events, and a checkout a burst of them. */
const QUIET_MS: Milliseconds = 100

interface Watched {
  readonly watcher: FSWatcher
  /** Tells a folder from one that was made in its place. */
  readonly inode: number
}

/**
 * Calls back when nothing has been touched any more for a moment. Folders are watched, not files:
 * that sees saves by rename, too. Any folder may go and come again.
 * @returns what ends it
 * @throws Error as Node reports that no more can be watched, at the start
 */
export function watchFolder(directory: string, onChange: () => void): () => void {
  const root = resolve(directory)
  const watched = new Map<string, Watched>()
  let timer: NodeJS.Timeout | undefined

  function touched(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // why: before anything is read, so that what comes later into a new folder is seen
      watchAll()
      onChange()
    }, QUIET_MS)
  }

  function watchAll(): void {
    const folders = new Set([dirname(root), ...foldersOf(root)])
    for (const [folder, { inode }] of watched) {
      if (!folders.has(folder) || inodeOf(folder) !== inode) drop(folder)
    }
    for (const folder of folders) if (!watched.has(folder)) add(folder)
  }

  function add(folder: string): void {
    const inode = inodeOf(folder)
    if (inode === undefined) return
    const watcher = watch(folder, (_, name) => {
      // why: the end of a folder comes by its own name, and inodes are used again
      const isGone = name === basename(folder)
      if (isGone) drop(folder)
      if (isGone || (folder === dirname(root) ? name === basename(root) : mayMatter(name))) {
        touched()
      }
    })
    watcher.on('error', () => {
      drop(folder)
      touched()
    })
    watched.set(folder, { watcher, inode })
  }

  function drop(folder: string): void {
    watched.get(folder)?.watcher.close()
    watched.delete(folder)
  }

  watchAll()
  return () => {
    clearTimeout(timer)
    for (const folder of watched.keys()) drop(folder)
  }
}

/** Those that may hold definitions, and those in which such may be made. */
function foldersOf(root: string): string[] {
  const reports = join(root, 'reports')
  return [root, join(root, 'access'), join(root, 'metrics'), reports, ...foldersIn(reports)]
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => !entry.name.startsWith('.') && !entry.isFile())
      .map(({ name }) => join(folder, name))
  } catch {
    return []
  }
}

/** Undefined where there is no folder. */
function inodeOf(path: string): number | undefined {
  try {
    const found = statSync(path)
    return found.isDirectory() ? found.ino : undefined
  } catch {
    return undefined
  }
}

/** Files that are no definitions do not; a name without an extension may be a folder's. */
function mayMatter(name: string | null): boolean {
  return name === null || (!name.startsWith('.') && ['', '.sql'].includes(extname(name)))
}

/** Watches a folder of definitions for changes. Does not read them. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Milliseconds } from '../../model/terms.ts'

/** why: a save in an editor makes several changes, and a checkout makes many */
const QUIET_MS: Milliseconds = 200

/**
 * Calls back when files have changed and then stay the same for `QUIET_MS`.
 * why: polling, because `fs.watch` loses recreated folders; 58 files take 2.5 ms
 * @returns stops watching
 */
export function watchFolder(directory: string, onChange: () => void): () => void {
  let known = stateOf(directory)
  let last = known
  const timer = setInterval(() => {
    const state = stateOf(directory)
    const isQuiet = state === last
    last = state
    if (!isQuiet || state === known) return
    known = state
    onChange()
  }, QUIET_MS)
  return () => clearInterval(timer)
}

/** A missing folder has no files. */
function stateOf(directory: string): string {
  try {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    const states = names
      // why: entries that begin with a dot are not definitions, but editors' locks and temporary files
      .filter(name => name.endsWith('.sql') && !/(?:^|\/)\./.test(name))
      .map(name => {
        const status = statSync(join(directory, name), { throwIfNoEntry: false })
        return [name, status?.ino, status?.mtimeMs, status?.size].join()
      })
    return states.join('\n')
  } catch {
    return ''
  }
}

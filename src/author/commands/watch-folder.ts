/** Watches a folder of definitions for changes. Does not read them. */
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { listFolder } from '../../definitions/folder.ts'
import { PRODUCT_FILE } from '../../definitions/product.ts'
import { TENANCY_FILE } from '../../definitions/tenancy.ts'
import type { Milliseconds } from '../../model/terms.ts'

/**
 * Calls back when definitions have changed and then stay the same for `quietMs`: a save in an editor makes several
 * changes, and a checkout makes many. Links are followed, such as those of a ConfigMap in Kubernetes.
 * why: polling, because `fs.watch` loses recreated folders and replaced links; 58 files take 2.5 ms
 * @returns stops watching
 */
export function watchFolder(
  directory: string,
  onChange: () => void,
  quietMs: Milliseconds,
): () => void {
  let known = stateOf(directory)
  let last = known
  const timer = setInterval(() => {
    const state = stateOf(directory)
    const isQuiet = state === last
    last = state
    if (!isQuiet || state === known) return
    known = state
    onChange()
  }, quietMs).unref()
  return () => clearInterval(timer)
}

/** A missing folder has no files. */
function stateOf(directory: string): string {
  const root = resolve(directory)
  const folder = { parent: dirname(root), name: basename(root) }
  const faults: string[] = []
  const files = listFolder(folder, (...fault) => void faults.push(fault.join()))
  const others = [TENANCY_FILE, PRODUCT_FILE].map(file => `${folder.name}/${file}`)
  const states = [...others, ...files.map(({ file }) => file)].map(file => {
    const status = statSync(join(folder.parent, file), { throwIfNoEntry: false })
    return [file, status?.ino, status?.mtimeMs, status?.size].join()
  })
  return [...states, ...faults].join('\n')
}

/**
 * Reloads the catalog, for `serve` and `watch`. Definitions are validated on the replica before they are used. If there
 * are findings, `serve` changes nothing; `watch` uses the last good version of each file that does not load.
 */
import { isDeepStrictEqual } from 'node:util'
import { assembleFolder, type LoadedFiles } from '../../definitions/assemble-catalog.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { readFolder, type FileRead, type FolderRead } from '../../definitions/read-folder.ts'
import { PRODUCT_FILE } from '../../definitions/product.ts'
import { TENANCY_FILE } from '../../definitions/tenancy.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { GatewayProcess } from './gateway-process.ts'

/** The delay before changes are validated again, if the replica was unavailable. */
const WAIT_MS: Milliseconds = 1000

export type FirstRead = Awaited<ReturnType<typeof readFirst>>

/** @throws DefinitionErrors without a key look-up, which every request needs. */
export async function readFirst(directory: string) {
  const startedAt = performance.now()
  const folder = await read(directory)
  const { catalog, inUse, findings } = assembleFolder(folder)
  if (catalog === undefined) throw new DefinitionErrors(findings)
  return { folder, catalog, inUse, findings, loadedInMs: performance.now() - startedAt }
}

/** why: a parser per read that parses, because none is needed between changes */
function read(directory: string, previous?: FolderRead): Promise<FolderRead> {
  return withSqlParser(parse => readFolder(directory, parse, previous))
}

/** Files of definitions. */
type Changes = Record<'added' | 'changed' | 'removed', string[]>
const NO_CHANGES: Changes = { added: [], changed: [], removed: [] }

/** The result of a reload. */
export interface Reloaded extends Changes {
  /** All existing files. */
  readonly files: readonly FileRead[]
  readonly findings: readonly FileFinding[]
  /** Definitions in use from now on. */
  readonly inUse: LoadedFiles
}

/** @returns reads the folder again, one read at a time; never fails */
export function createReloading(options: {
  /** `SQL_DIR` */
  readonly directory: string
  /** The result of `readFirst`, which the gateway serves. */
  readonly first: FirstRead
  readonly gateway: GatewayProcess['gateway']
  /** True: any finding leaves all definitions in use as they are. False: only the files that do not load. */
  readonly allOrNothing: boolean
  /** Called after each reload, and with the findings of one that waits. */
  readonly report: (reloaded: Reloaded) => void
}): () => void {
  const { directory, first, gateway, allOrNothing } = options
  let { folder, inUse } = first
  let { tenancyVersion, product } = folder
  /** Pending while the replica is unavailable. */
  let retry: NodeJS.Timeout | undefined
  /** Whether changes wait for the replica. */
  let isWaiting = false
  let last = Promise.resolve()
  let isQueued = false

  async function reload(): Promise<void> {
    const startedAt = performance.now()
    folder = await read(directory, folder)
    const assembled = assembleFolder(folder, allOrNothing ? undefined : inUse)
    const { catalog } = assembled
    const rejections = catalog && (await gateway.dryRun(catalog))
    const findings = [...assembled.findings, ...(rejections ?? [])]
    const report = (changes = NO_CHANGES) =>
      options.report({ files: folder.files, findings, inUse, ...changes })
    const wasWaiting = isWaiting
    isWaiting = false
    clearTimeout(retry)
    // why: a folder without its key look-up is being replaced as a whole
    if (catalog === undefined || (allOrNothing && findings.length > 0)) return report()
    const changes = changesOf(inUse, assembled.inUse)
    // why: a line for a function is in no definition's text, and titles of groups are in none
    const { file } = folder.tenancy
    if (folder.tenancyVersion !== tenancyVersion) changes.changed.unshift(file)
    if (!isDeepStrictEqual(folder.product, product))
      changes.changed.unshift(file.replace(TENANCY_FILE, PRODUCT_FILE))
    const differs = Object.values(changes).some(files => files.length > 0)
    if (rejections === undefined) {
      if (findings.length > 0) report()
      isWaiting = differs
      if (isWaiting && !wasWaiting) gateway.observe({ kind: 'reload-waits' })
      retry = setTimeout(reloadNext, WAIT_MS).unref()
      return
    }
    inUse = assembled.inUse
    ;({ tenancyVersion, product } = folder)
    if (differs) gateway.replaceCatalog(catalog, performance.now() - startedAt)
    report(changes)
  }

  function reloadNext(): void {
    // why: a reload that has not begun reads the newest files
    if (isQueued) return
    isQueued = true
    last = last
      .then(() => {
        isQueued = false
        return reload()
      })
      .catch((error: unknown) => gateway.observe({ kind: 'process-error', error }))
  }
  return reloadNext
}

function changesOf(before: LoadedFiles, after: LoadedFiles): Changes {
  const changed = [...after].flatMap(([file, { definition }]) => {
    const last = before.get(file)?.definition
    return last === undefined || last.version === definition.version ? [] : [file]
  })
  return { added: filesOnlyIn(after, before), changed, removed: filesOnlyIn(before, after) }
}

function filesOnlyIn(some: LoadedFiles, others: LoadedFiles): string[] {
  return [...some.keys()].filter(file => !others.has(file))
}

/**
 * Reloads the catalog, for `serve` and `watch`. Definitions are validated on the replica before they are used. If
 * files have findings, `watch` uses the last good version of each; `serve` changes nothing.
 */
import { assembleFolder, type LoadedFiles } from '../../definitions/assemble-catalog.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { readFolder, type FileRead, type FolderRead } from '../../definitions/read-folder.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { GatewayProcess } from './gateway-process.ts'

/** The delay before changes are validated again, if the replica was unavailable. */
const WAIT_MS: Milliseconds = 1000

/** By the dry run. A changed file is another `FileRead`. */
type Rejected = ReadonlyMap<FileRead, FileFinding>

/** @throws DefinitionErrors without a key look-up, which every request needs. */
export async function readFirst(directory: string) {
  const folder = await read(directory)
  const { catalog, inUse, findings } = assemble(folder)
  if (catalog === undefined) throw new DefinitionErrors(findings)
  return { folder, catalog, inUse, findings }
}

/** why: a parser per read that parses, because none is needed between changes */
function read(directory: string, previous?: FolderRead): Promise<FolderRead> {
  return withSqlParser(parse => readFolder(directory, parse, previous))
}

function assemble(folder: FolderRead, lastGood?: LoadedFiles, rejected: Rejected = new Map()) {
  const files = folder.files.map(one => {
    const { file, kind, version, findings } = one
    return rejected.has(one) ? { file, kind, version, findings } : one
  })
  const assembled = assembleFolder({ ...folder, files }, lastGood)
  const ofReplica = folder.files.flatMap(one => rejected.get(one) ?? [])
  return { ...assembled, findings: [...assembled.findings, ...ofReplica] }
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
  readonly first: Awaited<ReturnType<typeof readFirst>>
  readonly running: Pick<GatewayProcess, 'gateway' | 'observe' | 'replaceCatalog'>
  /** True: any finding leaves all definitions in use as they are. False: only the files with findings. */
  readonly allOrNothing: boolean
  /** Called after each reload, and for the first read unless `allOrNothing`. */
  readonly report: (reloaded: Reloaded) => void
  /** Called when changes begin to wait for the replica. */
  readonly onWait: () => void
}): () => void {
  const { directory, first, running, allOrNothing } = options
  let { folder, inUse } = first
  let { tenancyVersion } = folder
  /** Empty until definitions are validated on the replica, and always if reloads are all or nothing. */
  let lastGood: LoadedFiles = new Map()
  let rejected: Rejected = new Map()
  /** Pending while changes wait for the replica. */
  let retry: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  let isQueued = false
  if (!allOrNothing) report(first.findings)

  function report(findings: readonly FileFinding[], changes: Changes = NO_CHANGES): void {
    options.report({ files: folder.files, findings, inUse, ...changes })
  }

  async function reload(): Promise<void> {
    const startedAt = performance.now()
    folder = await read(directory, folder)
    const { catalog, findings, isValidated, ...found } = await assembleOnReplica()
    const isWaiting = retry !== undefined
    clearTimeout(retry)
    retry = undefined
    // why: a folder without its key look-up is being replaced as a whole
    if (catalog === undefined || (allOrNothing && findings.length > 0)) return report(findings)
    const changes = changesOf(inUse, found.inUse)
    // why: a line for a function is in no definition's text
    if (folder.tenancyVersion !== tenancyVersion) changes.changed.unshift(folder.tenancy.file)
    const differs = Object.values(changes).some(files => files.length > 0)
    if (differs && !isValidated) {
      // why: changes that are not validated must not replace good versions
      if (!allOrNothing) report(findings)
      if (!isWaiting) options.onWait()
      retry = setTimeout(reloadNext, WAIT_MS).unref()
      return
    }
    inUse = found.inUse
    tenancyVersion = folder.tenancyVersion
    if (isValidated && !allOrNothing) lastGood = inUse
    if (differs) running.replaceCatalog(catalog, performance.now() - startedAt)
    report(findings, changes)
  }

  /** Repeats without rejected files, because a fallback version may be rejected too. */
  async function assembleOnReplica() {
    const found = new Map<FileRead, FileFinding>()
    for (;;) {
      const assembled = assemble(folder, lastGood, found)
      const { catalog } = assembled
      if (catalog === undefined) return { ...assembled, isValidated: false }
      const rejections = await running.gateway.dryRun(catalog)
      if (rejections === undefined)
        return { ...assemble(folder, lastGood, rejected), isValidated: false }
      const rejectedCount = found.size
      for (const { finding } of rejections) {
        const file = folder.files.find(one => one.file === finding.file)
        if (file !== undefined && !found.has(file)) found.set(file, finding)
      }
      if (found.size === rejectedCount) {
        rejected = found
        return { ...assembled, isValidated: true }
      }
    }
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
      .catch((error: unknown) => running.observe({ kind: 'process-error', error }))
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

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

/** @param rejected files by the dry run */
function assemble(
  { files, ...folder }: FolderRead,
  lastGood?: LoadedFiles,
  rejected: ReadonlyMap<string, FileFinding> = new Map(),
) {
  const usable = files.map(read => {
    const { file, kind, version, findings } = read
    return rejected.has(file) ? { file, kind, version, findings } : read
  })
  const assembled = assembleFolder({ ...folder, files: usable }, lastGood)
  return { ...assembled, findings: [...assembled.findings, ...rejected.values()] }
}

/** The result of a reload. */
export interface Reloaded {
  /** All existing files. */
  readonly files: readonly FileRead[]
  readonly findings: readonly FileFinding[]
  /** Definitions in use from now on. */
  readonly inUse: LoadedFiles
  /** Definitions in use until now. */
  readonly before: LoadedFiles
  /** The file of tables, if the definitions in use are compiled with another one than before. */
  readonly changedTenancy: string | undefined
}

export interface ReloadingOptions {
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
}

/** @returns reads the folder again, one read at a time; never fails */
export function createReloading(options: ReloadingOptions): () => void {
  const { directory, first, running, allOrNothing, report } = options
  let { folder, inUse } = first
  let { tenancyVersion } = folder
  /** Empty until definitions are validated on the replica, and always if reloads are all or nothing. */
  let lastGood: LoadedFiles = new Map()
  /** Pending while changes wait for the replica. */
  let retry: NodeJS.Timeout | undefined
  /** The files and findings of the last dry run. */
  let validated = { files: folder.files, rejected: new Map<string, FileFinding>() }
  let last = Promise.resolve()
  let isQueued = false
  if (!allOrNothing) reportUnchanged(first.findings)

  function reportUnchanged(findings: readonly FileFinding[]): void {
    report({ files: folder.files, findings, inUse, before: inUse, changedTenancy: undefined })
  }

  async function reload(): Promise<void> {
    const startedAt = performance.now()
    folder = await read(directory, folder)
    const { catalog, findings, isValidated, ...found } = await assembleOnReplica()
    const differs = !isSame(found.inUse, inUse)
    const isWaiting = retry !== undefined
    clearTimeout(retry)
    retry = undefined
    // why: a folder without its key look-up is being replaced as a whole
    const isRejected = catalog === undefined || (allOrNothing && findings.length > 0)
    if (isRejected) return reportUnchanged(findings)
    if (differs && !isValidated) {
      // why: changes that are not validated must not replace good versions
      if (!allOrNothing) reportUnchanged(findings)
      if (!isWaiting) options.onWait()
      retry = setTimeout(reloadNext, WAIT_MS).unref()
      return
    }
    const before = inUse
    inUse = found.inUse
    if (isValidated && !allOrNothing) lastGood = inUse
    if (differs) running.replaceCatalog(catalog, performance.now() - startedAt)
    const changedTenancy =
      folder.tenancyVersion === tenancyVersion ? undefined : folder.tenancy.file
    tenancyVersion = folder.tenancyVersion
    report({ files: folder.files, findings, inUse, before, changedTenancy })
  }

  /** Repeats without rejected files, because a fallback version may be rejected too. */
  async function assembleOnReplica() {
    const rejected = new Map<string, FileFinding>()
    for (;;) {
      const assembled = assemble(folder, lastGood, rejected)
      const { catalog } = assembled
      if (catalog === undefined) return { ...assembled, isValidated: false }
      const rejections = await running.gateway.dryRun(catalog)
      if (rejections === undefined) {
        // why: `readFolder` returns what it read before of files that have not changed
        const unchanged = folder.files.filter(read => validated.files.includes(read))
        const isUnchanged = (name: string) => unchanged.some(({ file }) => file === name)
        const known = new Map([...validated.rejected].filter(([file]) => isUnchanged(file)))
        return { ...assemble(folder, lastGood, known), isValidated: false }
      }
      const more = rejections.filter(({ finding }) => !rejected.has(finding.file))
      if (more.length === 0) {
        validated = { files: folder.files, rejected }
        return { ...assembled, isValidated: true }
      }
      for (const { finding } of more) rejected.set(finding.file, finding)
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
      .catch((error: unknown) => {
        running.observe({ kind: 'process-error', error })
      })
  }
  return reloadNext
}

/** why: definitions of one version may differ, as a line for a function in `tenancy.yaml` is not in their text */
function isSame(some: LoadedFiles, others: LoadedFiles): boolean {
  const definitions = [...others.values()]
  return some.size === others.size && [...some.values()].every((one, at) => one === definitions[at])
}

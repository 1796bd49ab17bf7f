/**
 * A catalog that follows the files of its folder. What loads and runs on the replica replaces what
 * was there; of what does not, the last good version stays, and what is wrong is reported once.
 */
import { assembleCatalog, type LoadedFiles } from '../../definitions/assemble-catalog.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { readFolder, type FileRead, type FolderRead } from '../../definitions/read-folder.ts'
import type { Refusal } from '../../serve/replica/rehearse.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { ReloadReport } from './reload-report.ts'

export interface Reloading {
  /** What the folder held at first. */
  readonly catalog: Catalog
  /** Says what is wrong with it at first. */
  start(): void
  /** Reads the folder again; asked while it is at it, once more afterwards. Never fails. */
  reload(): void
}

/** Until the replica is asked again about changes that wait for it. */
const WAIT_MS: Milliseconds = 1000

/** @throws DefinitionErrors where there is no key look-up, without which nobody can be answered. */
export function readFirst(directory: string) {
  const folder = readFolder(directory)
  const { catalog, inUse, findings: doubles } = assembleCatalog(folder.files)
  const findings = findingsOf(folder, doubles)
  if (catalog === undefined) throw new DefinitionErrors(findings)
  return { folder, catalog, inUse, findings }
}

/** Reads the folder. @throws as `readFirst`. */
export function createReloading(options: {
  /** `SQL_DIR` */
  readonly directory: string
  readonly report: ReloadReport
  /** What of a catalog does not run on the replica; undefined where that cannot be told now. */
  readonly rehearse: (catalog: Catalog) => Promise<readonly Refusal[] | undefined>
  readonly use: (catalog: Catalog, loadedInMs: Milliseconds) => void
  /** Changes wait for the replica, which cannot be asked now. Said once, until it can. */
  readonly onWait: () => void
  readonly onError: (error: unknown) => void
  readonly now: Clock
}): Reloading {
  const { directory, report, rehearse, use, onWait, onError, now } = options
  const first = readFirst(directory)
  let folder: FolderRead = first.folder
  /** The last version of each file that loaded, and the last that ran on the replica. */
  let loaded: LoadedFiles = first.inUse
  let proven: LoadedFiles = new Map()
  let busy = false
  let again = false
  let waits = false

  async function reload(): Promise<void> {
    const startedAt = now()
    const read = readFolder(directory, folder)
    // why: a folder without a file is one that is being replaced as a whole
    if (read.files.length === 0) return report([], read.findings, loaded, loaded)
    folder = { ...read, files: withKeyLookUp(read.files, loaded) }
    const { catalog, inUse, findings, isKnown, isProven } = await settle(folder)
    if (catalog === undefined) return
    const differs = !isSame(inUse, loaded)
    if (differs && !isKnown) {
      report(folder.files, findings, loaded, loaded)
      return wait()
    }
    waits = false
    report(folder.files, findings, inUse, loaded)
    loaded = inUse
    if (isProven) proven = inUse
    if (differs) use(catalog, now() - startedAt)
  }

  /** What has not been planned yet must not take the place of what was good. */
  function wait(): void {
    if (!waits) onWait()
    waits = true
    setTimeout(() => reloading.reload(), WAIT_MS).unref()
  }

  /** Assembled without what the replica refuses, of which there may be more each time. */
  async function settle(folder: FolderRead) {
    const refused = new Map<string, FileFinding>()
    for (;;) {
      const files = folder.files.map(read => (refused.has(read.file) ? withoutLoaded(read) : read))
      const assembled = assembleCatalog(files, lastGood(folder, refused))
      const { catalog, inUse } = assembled
      const findings = [...findingsOf(folder, assembled.findings), ...refused.values()]
      const refusals = catalog && (await rehearse(catalog))
      const more = (refusals ?? []).filter(({ finding }) => !refused.has(finding.file))
      if (catalog === undefined || more.length === 0) {
        const isKnown = refusals !== undefined
        return { catalog, inUse, findings, isKnown, isProven: refusals?.length === 0 }
      }
      for (const { finding } of more) refused.set(finding.file, finding)
    }
  }

  /** A version that came into use unseen by the replica, and is refused now, was never good. */
  function lastGood({ files }: FolderRead, refused: ReadonlyMap<string, unknown>): LoadedFiles {
    const good = new Map(loaded)
    for (const { file, kind, version } of files) {
      if (!refused.has(file) || loaded.get(file)?.definition.version !== version) continue
      const old = proven.get(file)
      if (old !== undefined) good.set(file, old)
      // why: nobody could be answered without a key look-up, and this one may yet run
      else if (kind !== 'access') good.delete(file)
    }
    return good
  }

  async function reloadUntilDone(): Promise<void> {
    busy = true
    do {
      again = false
      await reload().catch(onError)
    } while (again)
    busy = false
  }

  const reloading: Reloading = {
    catalog: first.catalog,
    start() {
      report(first.folder.files, first.findings, first.inUse, undefined)
    },
    reload() {
      again = true
      if (!busy) void reloadUntilDone()
    },
  }
  return reloading
}

function findingsOf(
  { files, findings }: FolderRead,
  more: readonly FileFinding[],
): readonly FileFinding[] {
  return [...findings, ...files.flatMap(read => read.findings), ...more]
}

function withoutLoaded({ file, kind, version, findings }: FileRead): FileRead {
  return { file, kind, version, findings }
}

/** The key look-up stays when its file goes: nobody could be answered without. */
function withKeyLookUp(files: readonly FileRead[], loaded: LoadedFiles): readonly FileRead[] {
  if (files.some(({ kind }) => kind === 'access')) return files
  const [file] = [...loaded].find(([, { kind }]) => kind === 'access') ?? []
  if (file === undefined) return files
  return [{ file, kind: 'access', version: undefined, findings: [] }, ...files]
}

function isSame(one: LoadedFiles, other: LoadedFiles): boolean {
  return versionsOf(one) === versionsOf(other)
}

function versionsOf(files: LoadedFiles): string {
  return [...files].map(([file, { definition }]) => `${file}@${definition.version}`).join('\n')
}

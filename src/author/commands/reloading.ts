/**
 * Reloads the catalog when its files change. A file that loads and validates on the replica replaces the version in
 * use; otherwise the last good version is still used, and its findings are printed once.
 */
import { assembleFolder, type LoadedFiles } from '../../definitions/assemble-catalog.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { readFolder, type FolderRead } from '../../definitions/read-folder.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import type { GatewayProcess } from '../../serve/command-line/gateway-process.ts'
import { printLine } from '../../serve/command-line/output.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createReloadReport } from './reload-report.ts'

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
  { files, findings }: FolderRead,
  lastGood?: LoadedFiles,
  rejected: ReadonlyMap<string, FileFinding> = new Map(),
) {
  const usable = files.map(read => {
    const { file, kind, version, findings } = read
    return rejected.has(file) ? { file, kind, version, findings } : read
  })
  const assembled = assembleFolder({ files: usable, findings }, lastGood)
  return { ...assembled, findings: [...assembled.findings, ...rejected.values()] }
}

/**
 * Prints the findings of the first read.
 * @param first the result of `readFirst`, which the gateway serves
 * @returns reads the folder again, one read at a time; never fails
 */
export function createReloading(options: {
  /** `SQL_DIR` */
  readonly directory: string
  readonly first: Awaited<ReturnType<typeof readFirst>>
  readonly running: GatewayProcess
  readonly now: Clock
}): () => void {
  const { directory, first, running, now } = options
  const report = createReloadReport(directory)
  let { folder, inUse } = first
  /** Empty until definitions are validated on the replica. */
  let lastGood: LoadedFiles = new Map()
  /** Pending while changes wait for the replica. */
  let retry: NodeJS.Timeout | undefined
  /** The files and findings of the last dry run. */
  let validated = { files: folder.files, rejected: new Map<string, FileFinding>() }
  let last = Promise.resolve()
  report(folder.files, first.findings, inUse, inUse)

  async function reload(): Promise<void> {
    const startedAt = now()
    folder = await read(directory, folder)
    const found = await assembleOnReplica()
    const differs = versionsOf(found.inUse) !== versionsOf(inUse)
    // why: a folder without its key look-up is being replaced as a whole
    if (found.catalog === undefined || (differs && !found.isValidated)) {
      report(folder.files, found.findings, inUse, inUse)
      return found.catalog && wait()
    }
    clearTimeout(retry)
    retry = undefined
    report(folder.files, found.findings, found.inUse, inUse)
    inUse = found.inUse
    if (found.isValidated) lastGood = inUse
    if (differs) running.replaceCatalog(found.catalog, now() - startedAt)
  }

  /** why: changes that are not validated must not replace good versions */
  function wait(): void {
    if (retry === undefined) {
      printLine('the replica is unavailable: changes are used once they are validated there')
    }
    clearTimeout(retry)
    retry = setTimeout(reloadNext, WAIT_MS).unref()
  }

  /** Repeats without rejected files, because a fallback version may be rejected too. */
  async function assembleOnReplica() {
    const rejected = new Map<string, FileFinding>()
    for (;;) {
      const assembled = assemble(folder, lastGood, rejected)
      const { catalog } = assembled
      const rejections = catalog && (await running.gateway.dryRun(catalog))
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
    last = last.then(reload).catch((error: unknown) => {
      running.observe({ kind: 'process-error', error })
    })
  }
  return reloadNext
}

function versionsOf(files: LoadedFiles): string {
  return [...files].map(([file, { definition }]) => `${file}@${definition.version}`).join('\n')
}

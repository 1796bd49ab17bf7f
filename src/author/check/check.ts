/** All that is wrong with the definitions of a folder: loading, the text, and the replica, one after the other. Knows no pg. */
import { basename, dirname, resolve } from 'node:path'
import { assembleCatalog } from '../../definitions/assemble-catalog.ts'
import type { Catalog, MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { readSource } from '../../definitions/folder.ts'
import { readFolder, type FileRead } from '../../definitions/read-folder.ts'
import { checkText } from './text/check-text.ts'
import { draftOf, type Draft } from './text/draft.ts'

/** A folder as it was read, loading or not. */
export interface FolderToCheck {
  readonly files: readonly FileToCheck[]
  /** Of names of files, of codes that two files have, and of the access files. */
  readonly findings: readonly FileFinding[]
  /** What loads; undefined where nothing finds organizations by their keys. */
  readonly catalog: Catalog | undefined
  readonly drafts: readonly Draft[]
}

/** A report or a file of metrics. */
export interface FileToCheck {
  /** `profit_loss`, `metrics/finance`. */
  readonly name: string
  readonly file: string
  /** Of loading. */
  readonly findings: readonly FileFinding[]
  /** Undefined where it does not load. */
  readonly definition: ReportDefinition | MetricsDefinition | undefined
  /** Undefined where its brackets or quotes do not close. */
  readonly draft: Draft | undefined
}

/** What a database says of a definition. */
export type AskReplica = (definition: ReportDefinition | MetricsDefinition) => Promise<{
  readonly findings: readonly FileFinding[]
  /** False where PostgreSQL refuses the statement, so that nothing else was asked. */
  readonly prepares: boolean
}>

/** @param directory `SQL_DIR` */
export function readToCheck(directory: string): FolderToCheck {
  const { files: read, findings } = readFolder(directory)
  const { catalog, findings: doubles } = assembleCatalog(read)
  const files = read.flatMap(file => {
    const { kind } = file
    return kind === 'report' || kind === 'metrics' ? [fileToCheck(file, kind, directory)] : []
  })
  const others = read.filter(({ kind }) => kind !== 'report' && kind !== 'metrics')
  return {
    files: files.map(file => ({
      ...file,
      findings: [...file.findings, ...doubles.filter(double => double.file === file.file)],
    })),
    findings: [...findings, ...others.flatMap(file => file.findings)],
    catalog,
    drafts: files.flatMap(({ draft }) => draft ?? []),
  }
}

function fileToCheck(
  { file, loaded, findings }: FileRead,
  kind: 'report' | 'metrics',
  directory: string,
): FileToCheck {
  const root = resolve(directory)
  const source = readSource({ parent: dirname(root), name: basename(root) }, file, () => {})
  const code = basename(file, '.sql')
  return {
    name: kind === 'metrics' ? `metrics/${code}` : code,
    file,
    findings,
    definition:
      loaded?.kind === 'report' || loaded?.kind === 'metrics' ? loaded.definition : undefined,
    draft: source && draftOf(source, kind),
  }
}

/**
 * @param drafts of the whole folder
 * @param ask where there is a database
 * @returns all findings of the file, by line
 * @throws what `ask` throws.
 */
export async function checkFile(
  { definition, draft, findings }: FileToCheck,
  drafts: readonly Draft[],
  ask?: AskReplica,
): Promise<FileFinding[]> {
  const said = definition && (await ask?.(definition))
  const database = said === undefined ? 'none' : said.prepares ? 'asked' : 'refused'
  const ofText = draft === undefined ? [] : checkText(draft, drafts, { database })
  return sorted([...findings, ...ofText, ...(said?.findings ?? [])])
}

/** By file and line. */
export function sorted(findings: readonly FileFinding[]): FileFinding[] {
  return findings.toSorted((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0),
  )
}

/** Checks the definitions of a folder: loading, rules on the text, then rules on the replica. Knows no pg. */
import { basename, dirname, resolve } from 'node:path'
import { assembleFolder } from '../../definitions/assemble-catalog.ts'
import type { Catalog, MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { readSource } from '../../definitions/folder.ts'
import { readFolder } from '../../definitions/read-folder.ts'
import { draftOf, type Draft } from './rules/draft.ts'
import { checkRules } from './rules/check-rules.ts'
import { parsedOnce } from './parse-cache.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import type { Tenancy } from '../../definitions/tenancy.ts'

/** A folder of definitions, some of which may not load. */
export interface FolderToCheck {
  readonly files: readonly FileToCheck[]
  /** Findings on file names, duplicate codes and access files. */
  readonly findings: readonly FileFinding[]
  /** The definitions that load; undefined if no access file finds organizations by their keys. */
  readonly catalog: Catalog | undefined
  readonly drafts: readonly Draft[]
  readonly tenancy: Tenancy
}

/** A report or a file of metrics. */
export interface FileToCheck {
  /** `profit_loss`, `metrics/finance`. */
  readonly name: string
  readonly file: string
  readonly findings: readonly FileFinding[]
  /** Undefined if it does not load. */
  readonly definition: ReportDefinition | MetricsDefinition | undefined
  /** Undefined if PostgreSQL cannot parse it as a select. */
  readonly draft: Draft | undefined
}

/** Checks a definition on a database. */
export type AskReplica = (
  definition: ReportDefinition | MetricsDefinition,
  draft: Draft,
) => Promise<{ readonly findings: readonly FileFinding[] }>

/** @param directory `SQL_DIR` */
export async function readToCheck(directory: string, parseSql: ParseSql): Promise<FolderToCheck> {
  const parse = parsedOnce(parseSql)
  const folder = await readFolder(directory, parse)
  const { files: read, findings, tenancy } = folder
  const { catalog, duplicates } = assembleFolder(folder)
  const root = resolve(directory)
  const files: FileToCheck[] = []
  const otherFindings: FileFinding[] = []
  for (const { file, kind, loaded, findings: fileFindings } of read) {
    if (kind !== 'report' && kind !== 'metrics') {
      otherFindings.push(...fileFindings)
      continue
    }
    const source = readSource({ parent: dirname(root), name: basename(root) }, file, () => {})
    const code = basename(file, '.sql')
    files.push({
      name: kind === 'metrics' ? `metrics/${code}` : code,
      file,
      findings: [...fileFindings, ...duplicates.filter(duplicate => duplicate.file === file)],
      definition:
        loaded?.kind === 'report' || loaded?.kind === 'metrics' ? loaded.definition : undefined,
      draft: source && (await draftOf(source, kind, parse, tenancy)),
    })
  }
  const drafts = files.flatMap(({ draft }) => draft ?? [])
  return { files, findings: [...findings, ...otherFindings], catalog, drafts, tenancy }
}

/**
 * @param folder the folder of the file
 * @param ask checks on the database; undefined if there is none
 * @returns all findings of the file, by line
 * @throws what `ask` throws.
 */
export async function checkFile(
  { definition, draft, findings }: FileToCheck,
  { drafts }: Pick<FolderToCheck, 'drafts'>,
  ask?: AskReplica,
): Promise<FileFinding[]> {
  if (draft === undefined) return sorted(findings)
  const replicaFindings = definition && (await ask?.(definition, draft))
  const ruleFindings = checkRules(draft, drafts, { isAsked: replicaFindings !== undefined })
  return sorted([...findings, ...ruleFindings, ...(replicaFindings?.findings ?? [])])
}

/** By file and line. */
export function sorted(findings: readonly FileFinding[]): FileFinding[] {
  return findings.toSorted((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0),
  )
}

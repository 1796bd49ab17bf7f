/** Checks the definitions of a folder: loading, rules on the text, then rules on the replica. Knows no pg. */
import { basename, dirname, resolve } from 'node:path'
import { assembleFolder } from '../../definitions/assemble-catalog.ts'
import type { Catalog, MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { findingsOf, type FileFinding } from '../../definitions/findings.ts'
import { readSource } from '../../definitions/folder.ts'
import { readFolder } from '../../definitions/read-folder.ts'
import { draftOf, type Draft } from './rules/draft.ts'
import type { FindRelation } from './column-types.ts'
import { withoutAllowed } from './allowances.ts'
import { ALLOWABLE, EVIDENCE, findingsOfKind } from './evidence.ts'
import type { CheckFinding } from './kinds.ts'
import { checkRules, RULES } from './rules/list.ts'
import { readOracle } from '../versions/other-version.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import type { Tenancy } from '../../definitions/tenancy.ts'

/** A folder of definitions, some of which may not load. */
export interface FolderToCheck {
  readonly files: readonly FileToCheck[]
  /** Findings on file names, duplicate codes and access files. */
  readonly findings: readonly FileFinding[]
  /** The definitions that load; undefined if no access file finds organizations by their keys. */
  readonly catalog: Catalog | undefined
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

export interface ReplicaFindings {
  readonly findings: readonly CheckFinding[]
  /** Facts that could not be proved, with the reason; shown to the author, not findings. */
  readonly unproved: readonly string[]
  /** False if no organization has rows of the definition, so that rules on rows were not tested. */
  readonly hasRows: boolean
}

/** Checks a definition on a database. */
export interface AskReplica {
  /** @param found in the text */
  (
    definition: ReportDefinition | MetricsDefinition,
    draft: Draft,
    found: readonly CheckFinding[],
  ): Promise<ReplicaFindings>
  readonly findTable?: FindRelation | undefined
}

/** @param directory `SQL_DIR` */
export async function readToCheck(directory: string, parse: ParseSql): Promise<FolderToCheck> {
  const folder = await readFolder(directory, parse)
  const { files: read, findings, tenancy, product } = folder
  const { catalog, ofPairs } = assembleFolder(folder)
  const root = resolve(directory)
  const files: FileToCheck[] = []
  const otherFindings: FileFinding[] = []
  for (const { file, kind, loaded, findings: fileFindings } of read) {
    if (kind !== 'report' && kind !== 'metrics') {
      otherFindings.push(...fileFindings)
      continue
    }
    const sources = { parent: dirname(root), name: basename(root) }
    const source = readSource(sources, file, () => {})
    const code = basename(file, '.sql')
    const definition =
      loaded?.kind === 'report' || loaded?.kind === 'metrics' ? loaded.definition : undefined
    const draft = source && (await draftOf(source, kind, parse, tenancy, product))
    const oracle = definition && (await readOracle(definition, sources, parse))
    const ofFile = ofPairs.filter(one => one.file === file)
    files.push({
      name: kind === 'metrics' ? `metrics/${code}` : code,
      file,
      findings: [...fileFindings, ...ofFile, ...(oracle?.findings ?? [])],
      definition,
      draft: draft && { ...draft, oracle },
    })
  }
  return { files, findings: [...findings, ...otherFindings], catalog, tenancy }
}

/** Every kind of findings. */
export const KINDS = [...EVIDENCE, ...RULES]

/**
 * @param ask checks on the database; undefined if there is none
 * @returns all findings of the file that it does not allow, by line
 * @throws what `ask` throws.
 */
export async function checkFile(
  { definition, draft: written, findings }: FileToCheck,
  ask?: AskReplica,
): Promise<CheckFinding[]> {
  const ofLoading = findingsOfKind('load', findings)
  if (written === undefined) return sorted(ofLoading)
  const draft = { ...written, findTable: ask?.findTable }
  const ofText = checkRules(draft)
  const onReplica = definition && (await ask?.(definition, draft, ofText))
  const { file, source } = definition ?? { file: '', source: { notes: [] } }
  const found = [
    ...ofText,
    ...(onReplica?.findings ?? []),
    ...findingsOfKind('isolation', findingsOf(file, source.notes)),
    ...findingsOfKind('oracle-copy', draft.oracle?.copied ?? []),
  ]
  // why: what an execution shows depends on the rows, so that an allowance may wait for them
  const isOfText = (id: string) =>
    RULES.some(rule => rule.id === id && (ask !== undefined || rule.needsCatalog !== true))
  return sorted([...ofLoading, ...withoutAllowed(draft, found, [...ALLOWABLE, ...RULES], isOfText)])
}

/** By file and line. */
export function sorted<Found extends FileFinding>(findings: readonly Found[]): Found[] {
  return findings.toSorted((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0),
  )
}

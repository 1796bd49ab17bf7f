/** Another version of a definition, whose results are compared: of a commit, of another file, or its oracle. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { displayPath } from '../../command/output.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { PLACEHOLDERS } from '../../definitions/definition.ts'
import { findingsOf, type FileFinding, type Parsed } from '../../definitions/findings.ts'
import { ORACLE_ENDING, readSource, type SourceFolder } from '../../definitions/folder.ts'
import { parseMetrics } from '../../definitions/metrics.ts'
import { parseReport } from '../../definitions/report.ts'
import { MAX_TIMEOUT } from '../../definitions/schemas.ts'
import type { SourceFile } from '../../definitions/source-file.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'

export interface OtherVersion {
  readonly file: string
  /** Undefined if it does not load, or has other columns. */
  readonly definition: AnyDefinition | undefined
  readonly findings: readonly FileFinding[]
}

/**
 * @param base a file, or a name of a commit, such as `main`
 * @param file of the definition, relative to `above`
 * @param above the folder above `SQL_DIR`
 * @throws CommandError if there is no such file or commit
 */
export function readBase(
  base: string,
  file: string,
  above: string,
): Pick<SourceFile, 'file' | 'text'> {
  if (statSync(base, { throwIfNoEntry: false })?.isFile() === true)
    return { file: relative(above, resolve(base)), text: readFileSync(base, 'utf8') }
  const path = resolve(above, file)
  const command = ['-C', dirname(path), 'cat-file', 'blob', `${base}:./${basename(path)}`]
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const { status, stdout, stderr, error } = spawnSync('git', command, options)
  if (status === 0) return { file: `${file} (${base})`, text: stdout }
  const [said] = (error?.message ?? stderr).split('\n')
  throw new CommandError(
    EXIT.usage,
    `--base ${base}: neither a file, nor a commit that has ${displayPath(path)} (${said}), expected one of both.`,
  )
}

/** Compiled with the present `tenancy.yaml` and product. @param other without front matter it has that of the definition */
export async function otherVersion(
  { file, text }: Pick<SourceFile, 'file' | 'text'>,
  definition: AnyDefinition,
  parse: ParseSql,
): Promise<OtherVersion> {
  const { product } = definition
  const { tenancy, matter } = definition.source
  // why: on one line, so that lines in messages are those of the file; naive SQL may take longer
  const hasTotals = /\bis_total\b/.test(text)
  // why: a parameter is required in the SQL, but naive SQL may be that of the default alone
  const named = Object.entries(matter.parameters ?? {}).filter(([name]) =>
    new RegExp(`:${name}\\b`).test(text),
  )
  const parameters = named.length === 0 ? undefined : Object.fromEntries(named)
  const own = JSON.stringify(
    { ...matter, parameters, timeout: MAX_TIMEOUT },
    hasTotals ? omitTotals : undefined,
  )
  const head = `/*---${own}---*/`
  const whole = /^\s*\/\*---/.test(text) ? text : `${head}${text}`
  const code = basename(definition.file, '.sql')
  const source = { file: definition.file, code, text: whole, version: file }
  const read = isReport(definition) ? parseReport : parseMetrics
  const { value, findings }: Parsed<AnyDefinition> = await read(source, parse, tenancy, product)
  if (value === undefined)
    return { file, definition: undefined, findings: findingsOf(file, findings) }
  const [columns, expected] = [columnsOf(value), columnsOf(definition)]
  if (columns === expected) return { file, definition: { ...value, file }, findings: [] }
  const message = `found other columns, ${columns}, expected those of ${definition.name}: ${expected}`
  return { file, definition: undefined, findings: [{ file, line: 1, message }] }
}

/** For SQL that selects its totals itself. Hidden columns that have a total are facts of its totals row. */
function omitTotals(key: string, value: unknown): unknown {
  const { hidden = false, total } = Object(value)
  const isTotal = key === 'total' && typeof value === 'string'
  return isTotal || (hidden && total === undefined) ? undefined : value
}

export interface Oracle extends OtherVersion {
  /** A finding if its statement is that of the definition, in another form at most: it is not compared. */
  readonly copied: readonly FileFinding[]
}

/** Naive SQL for the same columns, in the file beside the definition. */
export async function readOracle(
  definition: AnyDefinition,
  folder: SourceFolder,
  parse: ParseSql,
): Promise<Oracle | undefined> {
  const file = oracleFile(definition)
  if (!existsSync(join(folder.parent, file))) return undefined
  const findings: FileFinding[] = []
  const find = (_: string, message: string) => findings.push({ file, line: undefined, message })
  const source = readSource(folder, file, find)
  if (source === undefined) return { file, definition: undefined, findings, copied: [] }
  const version = await otherVersion(source, definition, parse)
  const tree = version.definition && (await treeText(version.definition, parse))
  if (tree !== (await treeText(definition, parse))) return { ...version, copied: [] }
  const message = "found the definition's own statement, expected another way to the same figures"
  return { ...version, definition: undefined, copied: [{ file, line: 1, message }] }
}

export function oracleFile({ file }: AnyDefinition): string {
  return file.replace(/\.sql$/, ORACLE_ENDING)
}

/** The same for texts that differ in spaces, comments, brackets or case alone. */
async function treeText(
  { source: { text, sqlStart } }: AnyDefinition,
  parse: ParseSql,
): Promise<string> {
  const sql = await parse({ text, from: sqlStart, placeholders: PLACEHOLDERS })
  return JSON.stringify(sql.statements[0]?.tree, (key, value: unknown) =>
    key === 'location' ? undefined : value,
  )
}

function columnsOf(definition: AnyDefinition): string {
  return isReport(definition)
    ? definition.columns.map(({ key, type }) => `${key} ${type}`).join(', ')
    : definition.metrics.map(({ code, format }) => `${code} ${format}`).join(', ')
}

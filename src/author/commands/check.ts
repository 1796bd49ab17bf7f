/** `svodka check`: prints each finding as a line on stdout, and their count on stderr. */
import { referenceOf } from '../check/reference.ts'
import { checkFile, KINDS, readToCheck, sorted } from '../check/check.ts'
import type { AskReplica, FileToCheck, FolderToCheck } from '../check/check.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { OF_LOADING } from '../check/evidence.ts'
import {
  describeCheckFinding,
  findingsOfKind,
  type CheckFinding,
  type Kind,
} from '../check/kinds.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import { PRODUCT_FILE } from '../../definitions/product.ts'
import { TENANCY_FILE } from '../../definitions/tenancy.ts'
import { checkAccess } from './check-access.ts'
import { counted } from '../plans/figures.ts'
import { checkHeartbeat } from './check-heartbeat.ts'
import { withReplicaCheck } from './check-replica.ts'
import { findDatabases, NO_DATABASE } from './databases.ts'
import { answeringTo, unknownDefinition } from './definitions-named.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { withNoDatabase } from '../../config/other-databases.ts'
import { readAuthorSettings } from './load-what-loads.ts'
import { print, printLine, displayFile, displayPath } from '../../command/output.ts'
import { periodOf } from './question.ts'

export interface CheckOptions {
  readonly json?: boolean | undefined
  readonly demo?: boolean | undefined
  /** Whether warnings fail, too. */
  readonly strict?: boolean | undefined
  /** Whether notes are printed. */
  readonly notes?: boolean | undefined
  /** False leaves out the experiments. */
  readonly experiments?: boolean | undefined
  /** Prints the reference of all kinds of findings instead. */
  readonly rules?: boolean | undefined
  /** Ids or nicknames; by default all organizations with a nickname. */
  readonly org?: readonly string[] | undefined
  /** The first and the last day of the period; by default a period that has data. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** @param codes such as `profit_loss`, `metrics/finance`, `finance`; all by default @returns the exit code @throws CommandError */
export async function check(
  codes: readonly string[],
  options: CheckOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (options.rules === true) {
    await print(referenceOf(KINDS))
    return EXIT.ok
  }
  return withSqlParser(parse => checkWith(parse, codes, options, environment))
}

async function checkWith(
  parse: ParseSql,
  codes: readonly string[],
  { json = false, strict = false, notes = false, org, from, to, demo, experiments }: CheckOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const isChosen = from !== undefined || to !== undefined
  const period = isChosen ? periodOf({ from, to }, 'UTC') : undefined
  const { sqlDir } = readAuthorSettings(withNoDatabase(environment))
  const folder = await readToCheck(sqlDir, parse)
  const { catalog, tenancy } = folder
  const isWhole = codes.length === 0
  const files = isWhole ? folder.files : filesNamed(codes, folder, sqlDir)
  /** By printed line. */
  const shown = new Map<string, CheckFinding>()
  const show = async (findings: readonly CheckFinding[]) => {
    const lines: string[] = []
    for (const finding of findings.filter(({ level }) => notes || level !== 'note')) {
      const file = displayFile(finding.file, sqlDir)
      const line = describeCheckFinding({ ...finding, file })
      if (!shown.has(line)) lines.push(`${line}\n`)
      shown.set(line, finding)
    }
    if (!json && lines.length > 0) await print(lines.join(''))
  }

  const remaining = [...files]
  /** What could not be proved, by the definition's name. */
  const unproved = new Map<string, readonly string[]>()
  const checkRemaining = async (checkOnReplica?: AskReplica) => {
    const checking = remaining.map(file => checkFile(file, checkOnReplica))
    // why: the first failure is reported
    for (const one of checking) one.catch(() => {})
    for (const one of checking) {
      const findings = await one
      const { name } = remaining.shift()!
      for (const fact of unproved.get(name) ?? []) printLine(`Not proved for ${name}: ${fact}`)
      await show(findings)
    }
  }
  const withoutRows: string[] = []
  let failure: CommandError | undefined
  const databases = await findDatabases(environment, { demo })
  const usesReplica = databases !== undefined && catalog !== undefined
  try {
    const { load, product } = OF_LOADING
    const showAs = (kind: Kind, found: readonly FileFinding[]) => show(findingsOfKind(kind, found))
    await showAs(load, sorted(folder.findings.filter(one => isWhole || isOfEvery(one))))
    if (usesReplica) {
      const config = readAuthorSettings(databases.environment)
      const showFound = (found: readonly FileFinding[]) => showAs(product, found)
      const given = { config, catalog, tenancy, parse, org, period, experiments }
      const options = { ...given, show: showFound }
      await withReplicaCheck(options, async replicaCheck => {
        // why: every request needs the key look-up, so it is checked with any definition
        await showFound(await checkAccess(config, catalog, isWhole))
        // why: what a definition reads depends on it
        await showFound(replicaCheck.tenancyFindings)
        for (const fact of replicaCheck.unproved) printLine(`Not proved: ${fact}`)
        if (isWhole) await showFound(await checkHeartbeat(config, catalog))
        const checkOne: AskReplica = async (definition, ...rest) => {
          const result = await replicaCheck(definition, ...rest)
          unproved.set(definition.name, result.unproved)
          if (!result.hasRows) withoutRows.push(definition.name)
          return result
        }
        await checkRemaining(Object.assign(checkOne, { findTable: replicaCheck.findTable }))
      })
    }
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.environment) throw error
    failure = error
  } finally {
    await databases?.close()
  }
  const checkedOnReplica = files.length - remaining.length
  await checkRemaining()

  const findings = [...shown.values()]
  if (json) {
    const values = findings.map(({ file, line = null, level, id, message }) => ({
      file: displayFile(file, sqlDir),
      line,
      level,
      id,
      message,
    }))
    await print(`${JSON.stringify(values, null, 2)}\n`)
  }
  const part =
    checkedOnReplica === 0 ? '' : `${checkedOnReplica} of them on ${databases?.where}, the rest `
  const isDone = usesReplica && failure === undefined
  const where = isDone ? `on ${databases.where}` : `${part}without a database`
  printLine(`${summary(findings, files, sqlDir, where)}${noRows(withoutRows)}`)
  if (failure !== undefined) throw failure
  if (!usesReplica) printLine(databases === undefined ? NO_DATABASE : NO_ACCESS_FILE)
  const failing = findings.some(({ level }) => level === 'error' || (strict && level === 'warning'))
  return failing ? EXIT.findings : EXIT.ok
}

const NO_ACCESS_FILE =
  'No database was used: without the access file, organizations cannot be found.'

/** In the order of the folder, without duplicates. @throws CommandError with the likely spelling. */
function filesNamed(
  codes: readonly string[],
  { files }: FolderToCheck,
  sqlDir: string,
): FileToCheck[] {
  const named = new Set(
    codes.flatMap(code => {
      const found = answeringTo(code, files, sqlDir)
      if (found.length > 0) return found
      throw unknownDefinition(code, files)
    }),
  )
  return files.filter(file => named.has(file))
}

/**
 * Whether every definition depends on the file.
 * @param finding with a file such as `sql/access/organizations.sql`, before display
 */
function isOfEvery({ file }: FileFinding): boolean {
  return ['access', TENANCY_FILE, PRODUCT_FILE].includes(file.split('/')[1] ?? '')
}

/** why: a definition whose rows could not be checked is not proved correct */
function noRows(names: readonly string[]): string {
  return names.length === 0 ? '' : `; no rows seen for ${names.length}: ${names.join(', ')}`
}

/** `1 error, 2 warnings in 1 of 31 definitions in sql, checked on the demo's standby` */
function summary(
  findings: readonly CheckFinding[],
  files: readonly FileToCheck[],
  sqlDir: string,
  where: string,
): string {
  const known = files.map(({ file }) => file)
  const wrong = findings.filter(each => each.file.endsWith('.sql') && !isOfEvery(each))
  const wrongFiles = new Set(wrong.map(({ file }) => file))
  // why: a file with a bad name is not among the known ones, but counts as a wrong definition
  const all = counted(new Set([...known, ...wrongFiles]).size, 'definition')
  const folder = `${all} in ${displayPath(sqlDir)}`
  if (findings.length === 0) return `${folder} checked ${where}: no findings`
  const found = (['error', 'warning', 'note'] as const)
    .map(level => ({ level, count: findings.filter(one => one.level === level).length }))
    .flatMap(({ level, count }) => (count === 0 ? [] : counted(count, level)))
    .join(', ')
  if (wrong.length === 0) return `${found}, none in the ${folder}, checked ${where}`
  return `${found} in ${wrongFiles.size} of ${folder}, checked ${where}`
}

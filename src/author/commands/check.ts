/** `svodka check`: prints each finding as a line on stdout, and their count on stderr. */
import { referenceOf } from '../check/reference.ts'
import { checkFile, KINDS, readToCheck, sorted } from '../check/check.ts'
import type { AskReplica, FileToCheck, FolderToCheck, ReplicaFindings } from '../check/check.ts'
import { DefinitionErrors, type FileFinding } from '../../definitions/findings.ts'
import { findingsOfKind } from '../check/evidence.ts'
import { describeCheckFinding, type CheckFinding } from '../check/kinds.ts'
import { createReplicaCheck } from '../check/on-replica.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Config } from '../../config/config.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import { PRODUCT_FILE } from '../../definitions/product.ts'
import { TENANCY_FILE } from '../../definitions/tenancy.ts'
import { checkAccess, checkHeartbeat } from './check-access.ts'
import { counted } from '../plans/figures.ts'
import { chosenOrganizations, organizationsFile } from './organization.ts'
import type { CheckedOrganization } from '../check/questions.ts'
import { reached, withSession } from './session.ts'
import { findDatabases, NO_DATABASE } from './databases.ts'
import { answeringTo, unknownDefinition } from './definitions-named.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { withNoDatabase } from '../../config/other-databases.ts'
import { readAuthorSettings } from './load-what-loads.ts'
import { print, printLine, displayFile, displayPath } from '../../command/output.ts'
import { periodOf, type ExecutionOptions } from './question.ts'

/** The period is by default one that has data. */
export interface CheckOptions extends Omit<ExecutionOptions, 'set'> {
  readonly json?: boolean | undefined
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
    for (const finding of findings.filter(({ level }) => notes || level !== 'note')) {
      const line = describeCheckFinding({ ...finding, file: displayFile(finding.file, sqlDir) })
      if (!json && !shown.has(line)) await print(`${line}\n`)
      shown.set(line, finding)
    }
  }
  const showProduct = (found: readonly FileFinding[]) => show(findingsOfKind('product', found))

  const onReplica = new Map<string, ReplicaFindings>()
  const lost: CommandError[] = []
  const orLost = (error: unknown) => {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.environment) throw error
    lost.push(error)
  }
  const checkAll = async (ask?: AskReplica) => {
    const checkOne = async (file: FileToCheck) =>
      (await checkFile(file, ask).catch(orLost)) ?? checkFile(file)
    const checking = files.map(file => ({ name: file.name, found: checkOne(file) }))
    for (const { name, found } of checking) {
      const findings = await found
      for (const fact of onReplica.get(name)?.unproved ?? [])
        printLine(`Not proved for ${name}: ${fact}`)
      await show(findings)
    }
  }
  const ofFolder = folder.findings.filter(one => isWhole || isOfEvery(one))
  await show(findingsOfKind('load', sorted(ofFolder)))
  const databases = await findDatabases(environment, { demo })
  const usesReplica = databases !== undefined && catalog !== undefined
  try {
    if (!usesReplica) await checkAll()
    else {
      const config = readAuthorSettings(databases.environment)
      const checkIn = async (
        organizations: readonly CheckedOrganization[],
        ...clients: DatabaseClient[]
      ) => {
        const given = { tenancy, organizations, period, experiments, now: Date.now }
        const replica = await reached(() => createReplicaCheck({ ...given, clients }))
        // why: every request needs the key look-up, so it is checked with any definition
        await showProduct(await checkAccess(config, catalog, isWhole))
        // why: what a definition reads depends on it
        await showProduct(replica.tenancyFindings)
        for (const fact of replica.unproved) printLine(`Not proved: ${fact}`)
        if (isWhole) await showProduct(await checkHeartbeat(config, catalog))
        const ask: AskReplica = async (definition, ...rest) => {
          const result = await reached(() => replica(definition, ...rest))
          onReplica.set(definition.name, result)
          return result
        }
        await checkAll(Object.assign(ask, { findTable: replica.findTable }))
        return true
      }
      const found = organizationsOf(org, config, catalog, showProduct)
      // why: on two processors two sessions take half of the time
      const checking = found.then(all =>
        withSession(config, one => withSession(config, other => checkIn(all, one, other))),
      )
      if ((await checking.catch(orLost)) === undefined) await checkAll()
    }
  } finally {
    await databases?.close()
  }

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
  const [failure] = lost
  const part = `${onReplica.size} of them on ${databases?.where}, the rest without a database`
  const whole = usesReplica && !failure ? `on ${databases.where}` : 'without a database'
  const where = failure && onReplica.size > 0 ? part : whole
  const empty = [...onReplica].flatMap(([name, { hasRows }]) => (hasRows ? [] : name))
  // why: a definition whose rows could not be checked is not proved correct
  const noRows = empty.length === 0 ? '' : `; no rows seen for ${empty.length}: ${empty.join(', ')}`
  printLine(`${summary(findings, files, sqlDir, where)}${noRows}`)
  if (failure !== undefined) throw failure
  if (!usesReplica) printLine(databases === undefined ? NO_DATABASE : NO_ACCESS_FILE)
  const failing = findings.some(({ level }) => level === 'error' || (strict && level === 'warning'))
  return failing ? EXIT.findings : EXIT.ok
}

/** Shows findings of `organizations.sql`; no organization is used then. */
async function organizationsOf(
  org: CheckOptions['org'],
  config: Config,
  catalog: Catalog,
  show: (findings: readonly FileFinding[]) => Promise<void>,
): Promise<CheckedOrganization[]> {
  const found = await chosenOrganizations(org, config, catalog).catch(async (error: unknown) => {
    if (!(error instanceof DefinitionErrors)) throw error
    await show(error.findings)
    return []
  })
  if (found.length === 0) {
    const file = organizationsFile(config, catalog)
    printLine(
      `No organization is used, so no rows are checked: expected ${file} without findings and with nicknames, or --org <id>.`,
    )
  }
  return found
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

/** `1 error, 2 warnings in 1 of 31 definitions in sql, checked on the demo's standby` */
function summary(
  findings: readonly CheckFinding[],
  files: readonly FileToCheck[],
  sqlDir: string,
  where: string,
): string {
  const folder = `${counted(files.length, 'definition')} in ${displayPath(sqlDir)}`
  if (findings.length === 0) return `${folder} checked ${where}: no findings`
  const wrong = files.filter(({ file }) => findings.some(one => one.file === file))
  const counts = (['error', 'warning', 'note'] as const).flatMap(level => {
    const { length } = findings.filter(one => one.level === level)
    return length === 0 ? [] : counted(length, level)
  })
  return `${counts.join(', ')} in ${wrong.length} of ${folder}, checked ${where}`
}

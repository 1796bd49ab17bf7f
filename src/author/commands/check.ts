/** `svodka check`: every finding of every definition, one a line on stdout; how many they are on stderr. */
import { checkFile, readToCheck, sorted } from '../check/check.ts'
import type { AskReplica, FileToCheck, FolderToCheck } from '../check/check.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { checkAccess } from './check-access.ts'
import { checkHeartbeat } from './check-heartbeat.ts'
import { checkOutput, type CheckOutput } from './check-output.ts'
import { withReplicaCheck } from './check-replica.ts'
import { findDatabases, NO_DATABASE, type Databases } from './databases.ts'
import { answeringTo, unknownDefinition } from './definitions-named.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { withNoDatabase } from '../../serve/command-line/load-all.ts'
import { readAuthorSettings } from './load-what-loads.ts'
import { say } from '../../serve/command-line/output.ts'
import { shownFinding } from '../../serve/command-line/shown-path.ts'

export interface CheckOptions {
  readonly json?: boolean | undefined
  readonly demo?: boolean | undefined
  /** Ids or nicknames; those that have a nickname where it is left out. */
  readonly org?: readonly string[] | undefined
}

/** @param codes as `profit_loss`, `metrics/finance` or `finance`; none are all @returns the exit code @throws CommandError */
export async function check(
  codes: readonly string[],
  options: CheckOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { sqlDir } = readAuthorSettings(withNoDatabase(environment))
  const folder = readToCheck(sqlDir)
  const files = codes.length === 0 ? folder.files : filesNamed(codes, folder, sqlDir)
  const ofFolder = codes.length === 0 ? folder.findings : folder.findings.filter(isOfAccess)
  const output = checkOutput(options, environment)
  const show = (findings: readonly FileFinding[]) =>
    output.show(findings.map(finding => shownFinding(finding, sqlDir)))

  const databases = await findDatabases(environment, options)
  const left = [...files]
  const end = async (where: string) => {
    const shown = await output.end()
    say(summary(shown, files, sqlDir, where))
    return shown.length === 0 ? EXIT.ok : EXIT.findings
  }
  const look = (ask?: AskReplica) => lookAt(left, files.length, folder, output, show, ask)

  try {
    await show(sorted(ofFolder))
    if (databases === undefined || folder.catalog === undefined) {
      await look()
      const code = await end('without a database')
      say(databases === undefined ? NO_DATABASE : NOBODY)
      return code
    }
    const tell = (line: string) => {
      output.progress('')
      say(line)
    }
    await askDatabase(folder, options, databases, tell, async (ask, findOthers) => {
      if (codes.length === 0) await show(await findOthers())
      await look(ask)
    })
    return await end(`on ${databases.where}`)
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.environment) throw error
    const asked = files.length - left.length
    await look()
    const before = asked === 0 ? '' : `${asked} of them on ${databases?.where}, the rest `
    await end(`${before}without a database`)
    throw error
  } finally {
    await databases?.close()
  }
}

const NOBODY = 'No database was asked: without the access file nobody is found.'

/** @param left loses each file that is done @throws what `ask` throws; the file at which it did is left. */
async function lookAt(
  left: FileToCheck[],
  count: number,
  { drafts }: FolderToCheck,
  output: CheckOutput,
  show: (findings: readonly FileFinding[]) => Promise<void>,
  ask?: AskReplica,
): Promise<void> {
  for (let [file] = left; file !== undefined; [file] = left) {
    if (ask !== undefined)
      output.progress(`checking ${file.name} ${count - left.length + 1}/${count}`)
    try {
      const findings = await checkFile(file, drafts, ask)
      output.progress('')
      await show(findings)
    } finally {
      output.progress('')
    }
    left.shift()
  }
}

/** @throws CommandError where the database cannot be asked. */
async function askDatabase(
  { catalog }: FolderToCheck,
  { org }: CheckOptions,
  { environment }: Databases,
  tell: (line: string) => void,
  use: (ask: AskReplica, findOthers: () => Promise<readonly FileFinding[]>) => Promise<void>,
): Promise<void> {
  if (catalog === undefined) return
  const config = readAuthorSettings(environment)
  await withReplicaCheck({ config, catalog, org, say: tell }, async ask =>
    use(ask, async () => [
      ...(await checkAccess(config, catalog, tell)),
      ...(await checkHeartbeat(config, catalog)),
    ]),
  )
}

/** In the order of the folder, each once. @throws CommandError with the likely spelling. */
function filesNamed(
  codes: readonly string[],
  { files }: FolderToCheck,
  sqlDir: string,
): FileToCheck[] {
  const wanted = new Set(
    codes.flatMap(code => {
      const found = answeringTo(code, files, sqlDir)
      if (found.length > 0) return found
      throw unknownDefinition(code, files)
    }),
  )
  return files.filter(file => wanted.has(file))
}

/** Without them nobody is answered, whatever was asked for. */
function isOfAccess({ file }: FileFinding): boolean {
  return file.includes('/access/')
}

/** `2 findings in 1 of 31 definitions, checked on the demo's standby` */
function summary(
  findings: readonly FileFinding[],
  files: readonly FileToCheck[],
  sqlDir: string,
  where: string,
): string {
  const known = files.map(
    file => shownFinding({ ...file, line: undefined, message: '' }, sqlDir).file,
  )
  // why: a file of a bad name is none of the known ones, and is a definition that is wrong nonetheless
  const wrong = new Set(findings.filter(isOfDefinition).map(({ file }) => file))
  const count = new Set([...known, ...wrong]).size
  if (findings.length === 0) return `${definitions(count)} checked ${where}: no findings`
  const found = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  if (count === 0) return `${found}, and no definition to check`
  if (wrong.size === 0) return `${found}, none in the ${definitions(count)}, checked ${where}`
  return `${found} in ${wrong.size} of ${definitions(count)}, checked ${where}`
}

function isOfDefinition(finding: FileFinding): boolean {
  return finding.file.endsWith('.sql') && !isOfAccess(finding)
}

function definitions(count: number): string {
  return count === 1 ? '1 definition' : `${count} definitions`
}

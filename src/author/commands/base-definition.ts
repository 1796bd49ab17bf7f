/** The version of a definition that `svodka diff` compares with: of a commit, or of another file. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { describeFinding, findingsOf, type Parsed } from '../../definitions/findings.ts'
import { ORACLE_ENDING } from '../../definitions/folder.ts'
import { parseMetrics } from '../../definitions/metrics.ts'
import { parseReport } from '../../definitions/report.ts'
import { MAX_TIMEOUT } from '../../definitions/schemas.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import { displayFinding, displayPath } from '../../command/output.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'

interface Base {
  /** As messages name it, as `Definition.file`. */
  readonly file: string
  readonly text: string
}

/**
 * Compiled with the present `tenancy.yaml`. A file without front matter has that of the definition.
 * @param base a file, or a name of a commit, such as `main`
 * @throws CommandError if there is no such file or commit, it does not load, or it is an oracle with the same statement
 */
export async function readBase(
  base: string,
  definition: AnyDefinition,
  sqlDir: string,
): Promise<AnyDefinition> {
  const { file, text } = baseText(base, definition.file, resolve(dirname(sqlDir)))
  const { tenancy, matter } = definition.source
  // why: on one line, so that lines in messages are those of the file; naive SQL may take longer
  const head = `/*---${JSON.stringify({ ...matter, timeout: MAX_TIMEOUT })}---*/`
  const whole = /^\s*\/\*---/.test(text) ? text : `${head}${text}`
  const code = basename(definition.file, '.sql')
  const source = { file: definition.file, code, text: whole, version: file }
  const { value, findings } = await withSqlParser<Parsed<AnyDefinition>>(parse =>
    (isReport(definition) ? parseReport : parseMetrics)(source, parse, tenancy),
  )
  const isCopy = base.endsWith(ORACLE_ENDING) && value?.statementHash === definition.statementHash
  if (value !== undefined && !isCopy) return { ...value, file }
  const copied = "found the definition's own statement, expected another way to the same figures"
  const all = isCopy ? [{ line: 1, message: copied }] : findings
  const shown = findingsOf(file, all).map(one => describeFinding(displayFinding(one, sqlDir)))
  throw new CommandError(EXIT.findings, shown.join('\n'))
}

/** @param file relative to the folder above `SQL_DIR` */
function baseText(base: string, file: string, above: string): Base {
  if (existsSync(base)) return { file: relative(above, resolve(base)), text: textOf(base) }
  const path = resolve(above, file)
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', dirname(path), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    })
  const found = (expected: string) =>
    new CommandError(EXIT.usage, `--base ${base}: ${expected}, or --base with a file.`)
  let commit: string
  try {
    commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`).trim()
  } catch (error) {
    // why: without a repository, or in one that git does not trust
    const [said = ''] = ((error as { stderr?: string }).stderr ?? '').split('\n')
    throw found(
      `neither a file nor a commit${said && ` (${said})`}, expected one of the git repository of ${displayPath(path)}`,
    )
  }
  try {
    return {
      file: `${file} (${base})`,
      text: git('cat-file', 'blob', `${commit}:./${basename(path)}`),
    }
  } catch {
    throw found(`this commit has no ${displayPath(path)}, expected one that has it`)
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { message } = error as Error
    throw new CommandError(EXIT.usage, `--base cannot be read, expected a file: ${message}.`)
  }
}

/** The text of the version that `svodka diff` compares with: of a commit, or of another file. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { displayPath } from '../../command/output.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'

export interface BaseText {
  /** As messages name it, as `Definition.file`. */
  readonly file: string
  readonly text: string
}

/**
 * @param base a file, or a name of a commit, such as `main`
 * @param file of the definition, relative to `above`
 * @param above the folder above `SQL_DIR`
 * @throws CommandError if there is no such file or commit
 */
export function readBase(base: string, file: string, above: string): BaseText {
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

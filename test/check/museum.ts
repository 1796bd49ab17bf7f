/**
 * Broken definitions, each wrong in one way that an author errs in. An exhibit is a file, or a folder of files with
 * `reports/` and `metrics/`. Its last lines say what `check` must find, as `-- check: 23: what`, `-- check on a replica: ...`
 * or `-- check without a database: ...`; no line where the file itself is what is wrong.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  checkFile,
  readToCheck,
  sorted,
  type AskReplica,
  type FolderToCheck,
} from '../../src/check/check.ts'
import { describeFinding, type FileFinding } from '../../src/definitions/findings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MUSEUM = fileURLToPath(new URL('../../../test/check/museum', import.meta.url))
const ACCESS = fileURLToPath(new URL('../../../sql/access', import.meta.url))

export interface Exhibit {
  readonly name: string
  readonly expected: readonly Expected[]
  readonly folder: FolderToCheck
}

export interface Expected {
  /** `reports/museum/no-order.sql:12: `, or without a line. */
  readonly place: string
  /** A part of the message. */
  readonly message: string
  readonly from: 'anywhere' | Asked
}

export type Asked = 'on a replica' | 'without a database'

export function expectedFrom({ expected }: Exhibit, asked: Asked): Expected[] {
  return expected.filter(({ from }) => from === 'anywhere' || from === asked)
}

/** All that lies in the museum, each laid into a folder of definitions of its own. */
export function exhibits(): Exhibit[] {
  const root = temporaryFolder()
  return readdirSync(MUSEUM).map(entry => {
    const name = basename(entry, '.sql')
    const directory = join(root, name, 'sql')
    if (entry.endsWith('.sql')) lay(join(MUSEUM, entry), join(directory, placeOf(entry)))
    else cpSync(join(MUSEUM, entry), directory, { recursive: true })
    cpSync(ACCESS, join(directory, 'access'), { recursive: true })
    const expected = filesIn(directory).flatMap(file => expectedOf(file, directory))
    return { name, expected, folder: readToCheck(directory) }
  })
}

function placeOf(entry: string): string {
  return entry.startsWith('metrics-') ? `metrics/${entry}` : `reports/museum/${entry}`
}

function lay(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

function filesIn(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return entries.filter(entry => entry.endsWith('.sql'))
}

function expectedOf(file: string, directory: string): Expected[] {
  const text = readFileSync(join(directory, file), 'utf8')
  const lines = text.matchAll(
    /^-- check(?: (on a replica|without a database))?: (?:(\d+): )?(.*)$/gm,
  )
  return Array.from(lines, ([, from = 'anywhere', line, message = '']) => ({
    place: line === undefined ? `sql/${file}: ` : `sql/${file}:${line}: `,
    message,
    from: from as Expected['from'],
  }))
}

/** What `check` finds in an exhibit, as it prints it. */
export async function found({ folder }: Exhibit, ask?: AskReplica): Promise<string[]> {
  return sorted(await foundInFolder(folder, ask)).map(describeFinding)
}

export async function foundInFolder(
  { files, drafts, findings }: FolderToCheck,
  ask?: AskReplica,
): Promise<FileFinding[]> {
  const all = [...findings]
  for (const file of files) all.push(...(await checkFile(file, drafts, ask)))
  return all
}

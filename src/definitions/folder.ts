/** Lists and reads the files of a folder of definitions. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SourceFile } from './source-file.ts'

/** The folder of SQL. Paths of its files are relative to its parent. */
export interface SourceFolder {
  readonly parent: string
  readonly name: string
}

/** A file that may become a definition, as `sql/reports/finance/x.sql`. */
export interface FolderFile {
  readonly kind: 'access' | 'organizations' | 'heartbeat' | 'report' | 'metrics'
  readonly file: string
}

/** Reports an error that concerns a whole file or folder. */
export type Find = (file: string, message: string) => void

const ACCESS = 'access/organization_by_key.sql'
/** A second statement for a definition's figures, which `svodka diff` executes. */
export const ORACLE_ENDING = '.oracle.sql'
export const CODE = /^[a-z0-9][a-z0-9_-]*$/
export const CODE_EXPECTED = 'expected a-z, 0-9, _ and -'
/** A path of the API beside reports. */
const RESERVED_REPORT = 'schema'

/** @param find reports bad names and missing files @returns files by kind, sorted */
export function listFolder({ parent, name }: SourceFolder, find: Find): FolderFile[] {
  const root = join(parent, name)
  if (!isFolder(root)) {
    find(root, 'no such folder, expected one with definitions')
    return []
  }
  /** Dot entries are ignored: Kubernetes stores versions of a mounted ConfigMap in them. */
  const entriesOf = (folder: string): string[] => {
    try {
      const entries = isFolder(join(parent, folder)) ? readdirSync(join(parent, folder)) : []
      return entries.filter(entry => !entry.startsWith('.')).toSorted()
    } catch (error) {
      find(folder, `cannot be read: ${(error as Error).message}`)
      return []
    }
  }
  const hasCode = (path: string): boolean => {
    const code = basename(path, '.sql')
    if (!CODE.test(code)) find(path, `bad name "${code}", ${CODE_EXPECTED}`)
    if (path.startsWith(`${name}/reports/`) && code === RESERVED_REPORT) {
      find(path, `"${code}" is a path of the API, expected another name`)
    }
    return CODE.test(code)
  }
  const one = (kind: FolderFile['kind'], path: string): FolderFile[] =>
    existsSync(join(root, path)) ? [{ kind, file: `${name}/${path}` }] : []
  const all = (kind: FolderFile['kind'], folder: string): FolderFile[] =>
    entriesOf(folder)
      .filter(entry => entry.endsWith('.sql') && !entry.endsWith(ORACLE_ENDING))
      .filter(entry => hasCode(`${folder}/${entry}`))
      .map(entry => ({ kind, file: `${folder}/${entry}` }))
  const reports = `${name}/reports`
  const groups = entriesOf(reports).filter(entry => {
    const isGroup = isFolder(join(parent, reports, entry))
    if (!isGroup && entry.endsWith('.sql')) {
      find(`${reports}/${entry}`, `outside of a group, expected ${reports}/<group>/${entry}`)
    }
    return isGroup && hasCode(`${reports}/${entry}`)
  })
  const definitions = [
    ...groups.flatMap(group => all('report', `${reports}/${group}`)),
    ...all('metrics', `${name}/metrics`),
  ]
  if (definitions.length === 0) {
    find(name, `no definitions, expected ${reports}/<group>/<code>.sql`)
  }
  const access = one('access', ACCESS)
  if (access.length === 0) {
    find(`${name}/${ACCESS}`, 'no such file, expected the SQL that finds organizations')
  }
  return [
    ...access,
    ...one('organizations', 'access/organizations.sql'),
    ...one('heartbeat', 'replica/heartbeat.sql'),
    ...definitions,
  ]
}

/** Undefined if the file cannot be read; `find` reports the reason. */
export function readSource(folder: SourceFolder, file: string, find: Find): SourceFile | undefined {
  try {
    const bytes = readFileSync(join(folder.parent, file))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // why: 64 bits suffice against collisions of versions of one file
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    return { file, code: basename(file, '.sql'), text, version }
  } catch (error) {
    find(file, `cannot be read, expected a file in UTF-8: ${(error as Error).message}`)
    return undefined
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

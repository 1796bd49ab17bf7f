/** Which files a folder of definitions holds, and their bytes. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { versionOf, type SourceFile } from './source-file.ts'

/** The folder of SQL: files are named with its own name, from its parent. */
export interface Place {
  readonly parent: string
  readonly name: string
}

/** Files as `sql/reports/finance/x.sql`, sorted. */
export interface Folder {
  readonly access: string | undefined
  readonly reports: ReadonlyArray<{ readonly group: string; readonly file: string }>
  readonly metrics: readonly string[]
}

const ACCESS = 'access/organization_by_key.sql'
const CODE = /^[a-z0-9][a-z0-9_-]*$/
const CODE_EXPECTED = 'expected a-z, 0-9, _ and -'

/** @param problems gets what is wrong with names and what is missing */
export function listFolder(place: Place, problems: string[]): Folder {
  const { name } = place
  const nothing = { access: undefined, reports: [], metrics: [] }
  if (!isFolder(join(place.parent, name))) {
    problems.push(`${join(place.parent, name)}: no such folder, expected one with definitions`)
    return nothing
  }
  const sqlFiles = (folder: string) => {
    const files = list(place, folder, problems).filter(file => file.endsWith('.sql'))
    return files.filter(file => isCode(basename(file, '.sql'), `${folder}/${file}`, problems))
  }
  const reportsFolder = `${name}/reports`
  const groups = list(place, reportsFolder, problems).filter(entry => {
    const isGroup = isFolder(join(place.parent, reportsFolder, entry))
    if (!isGroup && entry.endsWith('.sql')) {
      problems.push(
        `${reportsFolder}/${entry}: outside of a group, expected ${reportsFolder}/<group>/${entry}`,
      )
    }
    return isGroup && isCode(entry, `${reportsFolder}/${entry}`, problems)
  })
  const reports = groups.flatMap(group => {
    const folder = `${reportsFolder}/${group}`
    return sqlFiles(folder).map(file => ({ group, file: `${folder}/${file}` }))
  })
  const metrics = sqlFiles(`${name}/metrics`).map(file => `${name}/metrics/${file}`)
  if (reports.length + metrics.length === 0) {
    problems.push(`${name}: no definitions, expected ${reportsFolder}/<group>/<code>.sql`)
  }
  const access = `${name}/${ACCESS}`
  const hasAccess =
    statSync(join(place.parent, access), { throwIfNoEntry: false })?.isFile() === true
  if (!hasAccess)
    problems.push(`${access}: no such file, expected the SQL that finds organizations`)
  return { access: hasAccess ? access : undefined, reports, metrics }
}

/** Undefined where it cannot be read; `problems` says why. */
export function readSource(place: Place, file: string, problems: string[]): SourceFile | undefined {
  try {
    const bytes = readFileSync(join(place.parent, file))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { file, code: basename(file, '.sql'), text, version: versionOf(bytes) }
  } catch (error) {
    problems.push(`${file}: cannot be read, expected a file in UTF-8: ${messageOf(error)}`)
    return undefined
  }
}

/** Names that begin with a dot are left out: mounted configuration keeps its versions in such. */
function list(place: Place, folder: string, problems: string[]): string[] {
  const path = join(place.parent, folder)
  if (!isFolder(path)) return []
  try {
    return readdirSync(path)
      .filter(entry => !entry.startsWith('.'))
      .toSorted()
  } catch (error) {
    problems.push(`${folder}: cannot be read: ${messageOf(error)}`)
    return []
  }
}

function isFolder(path: string): boolean {
  return kindOf(path) === 'folder'
}

/** Undefined where there is nothing, or nothing that we may see. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path)
    if (found.isDirectory()) return 'folder'
    return found.isFile() ? 'file' : undefined
  } catch {
    return undefined
  }
}

function isCode(code: string, path: string, problems: string[]): boolean {
  if (CODE.test(code)) return true
  problems.push(`${path}: bad name "${code}", ${CODE_EXPECTED}`)
  return false
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

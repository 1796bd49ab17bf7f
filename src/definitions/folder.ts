/** Which files a folder of definitions holds, and their bytes. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FileFinding } from './findings.ts'
import { versionOf, type SourceFile } from './source-file.ts'

/** The folder of SQL: files are named with its own name, from its parent. */
export interface Place {
  readonly parent: string
  readonly name: string
}

/** Files as `sql/reports/finance/x.sql`, sorted. */
export interface Folder {
  readonly access: string | undefined
  /** For the command line alone. */
  readonly organizations: string | undefined
  readonly heartbeat: string | undefined
  readonly reports: ReadonlyArray<{ readonly group: string; readonly file: string }>
  readonly metrics: readonly string[]
}

/** Takes what is wrong with a file or a folder as a whole. */
export type Find = (file: FileFinding['file'], message: string) => void

const ACCESS = 'access/organization_by_key.sql'
const ORGANIZATIONS = 'access/organizations.sql'
const HEARTBEAT = 'replica/heartbeat.sql'
export const CODE = /^[a-z0-9][a-z0-9_-]*$/
export const CODE_EXPECTED = 'expected a-z, 0-9, _ and -'

/** @param find gets what is wrong with names and what is missing */
export function listFolder(place: Place, find: Find): Folder {
  const { name } = place
  const nothing = {
    access: undefined,
    organizations: undefined,
    heartbeat: undefined,
    reports: [],
    metrics: [],
  }
  if (!isFolder(join(place.parent, name))) {
    find(join(place.parent, name), 'no such folder, expected one with definitions')
    return nothing
  }
  const sqlFiles = (folder: string) => {
    const files = list(place, folder, find).filter(file => file.endsWith('.sql'))
    return files.filter(file => isCode(basename(file, '.sql'), `${folder}/${file}`, find))
  }
  const reportsFolder = `${name}/reports`
  const groups = list(place, reportsFolder, find).filter(entry => {
    const isGroup = isFolder(join(place.parent, reportsFolder, entry))
    if (!isGroup && entry.endsWith('.sql')) {
      const message = `outside of a group, expected ${reportsFolder}/<group>/${entry}`
      find(`${reportsFolder}/${entry}`, message)
    }
    return isGroup && isCode(entry, `${reportsFolder}/${entry}`, find)
  })
  const reports = groups.flatMap(group => {
    const folder = `${reportsFolder}/${group}`
    return sqlFiles(folder).map(file => ({ group, file: `${folder}/${file}` }))
  })
  const metrics = sqlFiles(`${name}/metrics`).map(file => `${name}/metrics/${file}`)
  if (reports.length + metrics.length === 0) {
    find(name, `no definitions, expected ${reportsFolder}/<group>/<code>.sql`)
  }
  const fileOf = (path: string) =>
    kindOf(join(place.parent, name, path)) === 'file' ? `${name}/${path}` : undefined
  const access = fileOf(ACCESS)
  if (access === undefined) {
    find(`${name}/${ACCESS}`, 'no such file, expected the SQL that finds organizations')
  }
  return {
    access,
    organizations: fileOf(ORGANIZATIONS),
    heartbeat: fileOf(HEARTBEAT),
    reports,
    metrics,
  }
}

/** Undefined where it cannot be read; `find` says why. */
export function readSource(place: Place, file: string, find: Find): SourceFile | undefined {
  try {
    const bytes = readFileSync(join(place.parent, file))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { file, code: basename(file, '.sql'), text, version: versionOf(bytes) }
  } catch (error) {
    find(file, `cannot be read, expected a file in UTF-8: ${messageOf(error)}`)
    return undefined
  }
}

/** Names that begin with a dot are left out: mounted configuration keeps its versions in such. */
function list(place: Place, folder: string, find: Find): string[] {
  const path = join(place.parent, folder)
  if (!isFolder(path)) return []
  try {
    return readdirSync(path)
      .filter(entry => !entry.startsWith('.'))
      .toSorted()
  } catch (error) {
    find(folder, `cannot be read: ${messageOf(error)}`)
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

function isCode(code: string, path: string, find: Find): boolean {
  if (CODE.test(code)) return true
  find(path, `bad name "${code}", ${CODE_EXPECTED}`)
  return false
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

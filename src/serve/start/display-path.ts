/** Paths in messages, which an editor can open from the current folder. */
import { dirname, relative, resolve } from 'node:path'
import type { FileFinding } from '../../definitions/findings.ts'

/** Relative if the path is in the current folder, else absolute. */
export function displayPath(path: string): string {
  const fromHere = relative(process.cwd(), path)
  if (fromHere === '') return '.'
  return /^\.\.(?:\/|$)/.test(fromHere) ? resolve(path) : fromHere
}

/** @param file as in findings: `sql/reports/finance/x.sql`, relative to the parent of `sqlDir` */
export function displayFile(file: string, sqlDir: string): string {
  return displayPath(resolve(dirname(sqlDir), file))
}

export function displayFinding(finding: FileFinding, sqlDir: string): FileFinding {
  return { ...finding, file: displayFile(finding.file, sqlDir) }
}

/** Paths as an editor opens them from the current folder. */
import { dirname, relative, resolve } from 'node:path'
import type { FileFinding } from '../../definitions/findings.ts'

/** From here if it lies here, else absolute. */
export function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path)
  if (fromHere === '') return '.'
  return /^\.\.(?:\/|$)/.test(fromHere) ? resolve(path) : fromHere
}

/** @param file as definitions name it: `sql/reports/finance/x.sql`, from the parent of `sqlDir` */
export function shownFile(file: string, sqlDir: string): string {
  return shownPath(resolve(dirname(sqlDir), file))
}

export function shownFinding(finding: FileFinding, sqlDir: string): FileFinding {
  return { ...finding, file: shownFile(finding.file, sqlDir) }
}

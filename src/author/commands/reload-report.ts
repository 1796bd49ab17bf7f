/** Prints the effects of a reload, each change once. */
import { describeFinding } from '../../definitions/findings.ts'
import { printLine, displayFile, displayFinding } from '../../command/output.ts'
import type { Reloaded } from '../../serve/start/reloading.ts'

/** @param sqlDir `SQL_DIR`, to print paths relative to the current directory */
export function createReloadReport(sqlDir: string): (reloaded: Reloaded) => void {
  const shown = (file: string) => displayFile(file, sqlDir)
  /** By file: its version, and a line for each finding that was printed. */
  let broken: ReadonlyMap<string, readonly string[]> = new Map()

  return ({ files, findings, inUse, added, changed, removed }) => {
    const versions = new Map(files.map(({ file, version = '' }) => [file, version]))
    const loaded = new Map(files.map(one => [one.file, one.loaded]))
    const now = new Map<string, string[]>()
    for (const finding of findings) {
      const { file } = finding
      const lines = now.get(file) ?? [versions.get(file) ?? '']
      now.set(file, [...lines, describeFinding(displayFinding(finding, sqlDir))])
    }
    for (const [file, [version, ...lines]] of now) {
      if (broken.get(file)?.join() === [version, ...lines].join()) continue
      for (const line of lines) printLine(line)
      const used = inUse.get(file)
      if (used !== undefined && used !== loaded.get(file))
        printLine(`the last good version of ${shown(file)} is still used`)
      else if (used === undefined && versions.has(file))
        printLine(`${shown(file)} is not served until it is fixed`)
    }
    for (const file of broken.keys()) {
      if (!now.has(file) && versions.has(file)) printLine(`fixed ${shown(file)}`)
    }
    broken = now
    for (const file of added) printLine(`added ${shown(file)}`)
    for (const file of changed) printLine(`reloaded ${shown(file)}`)
    for (const file of removed) if (!versions.has(file)) printLine(`removed ${shown(file)}`)
  }
}

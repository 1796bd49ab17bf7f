/** What is said of a reload: each thing once, when it becomes so. */
import type { LoadedFiles } from '../../definitions/assemble-catalog.ts'
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import type { FileRead } from '../../definitions/read-folder.ts'
import { shownFile, shownFinding } from '../../serve/command-line/shown-path.ts'

/**
 * @param files all that are there
 * @param before what was in use; undefined at the start, when only what is wrong is said
 */
export type ReloadReport = (
  files: readonly FileRead[],
  findings: readonly FileFinding[],
  inUse: LoadedFiles,
  before: LoadedFiles | undefined,
) => void

/** @param sqlDir `SQL_DIR`, by which files are shown as they open from here */
export function createReloadReport(say: (line: string) => void, sqlDir: string): ReloadReport {
  const shown = (file: string) => shownFile(file, sqlDir)
  /** By file: what was said to be wrong, and of which version. */
  let broken: ReadonlyMap<string, string> = new Map()

  return (files, findings, inUse, before) => {
    const versions = new Map(files.map(({ file, version }) => [file, version]))
    const byFile = groupByFile(findings)
    const now = new Map(
      [...byFile].map(([file, all]) => [
        file,
        [versions.get(file), ...all.map(describeFinding)].join('\n'),
      ]),
    )
    for (const [file, all] of byFile) {
      if (broken.get(file) === now.get(file)) continue
      for (const finding of all) say(describeFinding(shownFinding(finding, sqlDir)))
      if (inUse.has(file)) say(`the last good version of ${shown(file)} stays`)
      else if (versions.has(file)) say(`${shown(file)} is not there until it is mended`)
    }
    for (const file of broken.keys())
      if (!now.has(file) && versions.has(file)) say(`mended ${shown(file)}`)
    broken = now
    if (before === undefined) return
    for (const [file, { definition }] of inUse) {
      const old = before.get(file)
      if (old === undefined) say(`added ${shown(file)}`)
      else if (old.definition.version !== definition.version) say(`reloaded ${shown(file)}`)
    }
    for (const file of before.keys()) {
      if (!inUse.has(file) && !versions.has(file)) say(`removed ${shown(file)}`)
    }
  }
}

function groupByFile(findings: readonly FileFinding[]): Map<string, FileFinding[]> {
  const groups = new Map<string, FileFinding[]>()
  for (const finding of findings) {
    const group = groups.get(finding.file)
    if (group === undefined) groups.set(finding.file, [finding])
    else group.push(finding)
  }
  return groups
}

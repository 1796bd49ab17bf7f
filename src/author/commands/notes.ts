/** Notes on a definition that could be faster. */
import type { Definition } from '../../definitions/definition.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { displayFinding, printLine } from '../../command/output.ts'

/** On stderr, by line. */
export function printNotes({ file, source }: Definition, sqlDir: string): void {
  for (const note of source.notes)
    printLine(`Note: ${describeFinding(displayFinding({ file, ...note }, sqlDir))}`)
}

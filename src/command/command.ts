/** What the descriptions of commands share. */

/** Receives the exit code of a command. */
export type FinishCommand = (code: Promise<number>) => Promise<void>

/** Example command lines, first in the help. */
export function examples(...lines: string[]): string {
  return `${['Examples:', ...lines.map(line => `  ${line}`)].join('\n')}\n`
}

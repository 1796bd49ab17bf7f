/** What descriptions of commands share. */

/** Takes the exit code of the command that was asked for. */
export type End = (code: Promise<number>) => Promise<void>

/** Lines to paste, which come first in the help. */
export function examples(...lines: string[]): string {
  return `${['Examples:', ...lines.map(line => `  ${line}`)].join('\n')}\n`
}

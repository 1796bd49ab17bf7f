/** What ends a command: its exit code, and an error with it. */

/** sql/README.md lists them. */
export const EXIT = { ok: 0, findings: 1, usage: 2, environment: 3 } as const

/** Ends a command; the message is printed to stderr without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** How a command ends: its exit code, and an error that says why to whoever called it. */

/** As the README lists them. */
export const EXIT = { ok: 0, findings: 1, usage: 2, environment: 3 } as const

/** What ends a command early; its message is for stderr, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

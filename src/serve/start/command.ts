/** What all commands share: exit codes, the error that ends a command, examples and the version. */
import { readFileSync } from 'node:fs'

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

/** Receives the exit code of a command. */
export type FinishCommand = (code: Promise<number>) => Promise<void>

/** Example command lines, first in the help. */
export function examples(...lines: string[]): string {
  return `${['Examples:', ...lines.map(line => `  ${line}`)].join('\n')}\n`
}

export function versionOfPackage(): string {
  const path = new URL('../../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return version
}

/** Written by `make build`, for installations without git. Undefined if the build did not know it. */
export function revisionOfBuild(): string | undefined {
  try {
    const path = new URL('../../../revision', import.meta.url)
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    // why: the compiler alone does not write it
    return undefined
  }
}

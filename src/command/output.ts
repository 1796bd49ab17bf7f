/** Writes to stdout and stderr. Each may be a pipe that is closed early, as by `head`, or a file on a full disk. */
import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { dirname, relative, resolve } from 'node:path'
import { hideCredentials, type RemoveSecrets } from '../model/secrets.ts'
import { EXIT } from '../model/command-error.ts'
import type { FileFinding } from '../definitions/findings.ts'

/** Ignores closed pipes until the process ends. Any other failed write ends the process with a message. */
export function guardOutputs(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endUnlessPipeClosed)
  const write = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean
  process.stderr.write = (text: unknown, ...rest: unknown[]) =>
    write(typeof text === 'string' ? removeSecrets(text) : text, ...rest)
}

let removeSecrets: RemoveSecrets = hideCredentials

/** Removes these secrets from all further output to stderr. */
export function hideFromStderr(remove: RemoveSecrets): void {
  removeSecrets = remove
}

/** Prints an unexpected error and its causes with stacks, for a bug report. */
export function printUnexpected(error: unknown): void {
  for (let each = error; each !== undefined; each = (each as Error | undefined)?.cause) {
    printLine(each instanceof Error ? (each.stack ?? each.message) : inspect(each))
  }
}

/** Resolves when everything is written, or if the pipe is closed. @throws what else prevents it */
export function print(output: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(output, error =>
      error && !isPipeClosed(error) ? reject(error) : resolve(),
    )
  })
}

/** Prints a line to stderr. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

function endUnlessPipeClosed(error: unknown): void {
  if (isPipeClosed(error)) return
  try {
    writeSync(process.stderr.fd, `The output cannot be written: ${messageOf(error)}\n`)
  } catch {
    // why: if stderr itself failed, no message can be written
  }
  process.exit(EXIT.environment)
}

/** The reader has closed the pipe, now or before. */
function isPipeClosed(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

/** The message without the name of the error's class. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

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

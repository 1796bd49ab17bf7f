/** What a command gives to stdout and stderr: each may be a pipe whose reader leaves early, as `head` does, or a disk that is full. */
import { writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inspect } from 'node:util'
import { hideCredentials } from '../../model/secrets.ts'
import type { RemoveSecrets } from '../../model/secrets.ts'
import { EXIT } from './exit.ts'

/** For the life of the process: nobody reading on is no error, and what cannot be written ends it with a line. */
export function guardOutputs(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endUnlessUnread)
  const write = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean
  process.stderr.write = (text: unknown, ...rest: unknown[]) =>
    write(typeof text === 'string' ? removeSecrets(text) : text, ...rest)
}

let removeSecrets: RemoveSecrets = hideCredentials

/** From here on nothing on stderr shows these. */
export function hideFromStderr(remove: RemoveSecrets): void {
  removeSecrets = remove
}

/** What no command expects: with its stack, for a report of the defect. */
export function sayUnexpected(error: unknown): void {
  for (let each = error; each !== undefined; each = (each as Error | undefined)?.cause) {
    say(each instanceof Error ? (each.stack ?? each.message) : inspect(each))
  }
}

/**
 * Resolves when all is out, or when nobody reads it any more; a stream is destroyed then.
 * @throws what the stream fails with.
 */
export async function print(output: string | Buffer | Readable): Promise<void> {
  const source = output instanceof Readable ? output : Readable.from([output])
  try {
    await pipeline(source, process.stdout, { end: false })
  } catch (error) {
    if (!isUnread(error)) throw error
  }
}

/** A line to people. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The width of its terminal; undefined where it is none. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined
}

function endUnlessUnread(error: unknown): void {
  if (isUnread(error)) return
  try {
    writeSync(process.stderr.fd, `The output cannot be written: ${messageOf(error)}\n`)
  } catch {
    // why: where stderr is what cannot be written there is nobody left to tell
  }
  process.exit(EXIT.environment)
}

/** Whoever read the pipe has left, now or before. */
function isUnread(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_UNABLE_TO_PIPE'
}

/** As people read it: without the name of the error's class. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

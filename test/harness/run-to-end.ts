// A whole bench as a program: its folder, closing at the end, signals, and an exit code.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { listenForInterrupts } from '../../src/demo/interrupts.ts'
import { createClosers, type Closers } from './closers.ts'

/** @param work returns the exit code. Ends the process: 3 the bench could not be set up, 130 after a signal. */
export async function runToEnd(
  work: (closers: Closers, signal: AbortSignal) => Promise<number>,
): Promise<never> {
  const interrupts = listenForInterrupts()
  const closers = createClosers()
  interrupts.second.addEventListener('abort', () => process.exit(130))
  try {
    process.exitCode = await work(closers, interrupts.first)
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`)
    process.exitCode = interrupts.first.aborted ? 130 : 3
  } finally {
    for (const error of await closers.closeAll()) process.stderr.write(`${inspect(error)}\n`)
    interrupts.close()
  }
  // why: pending work of an aborted scenario must not delay the end of the bench
  process.exit()
}

/** A folder that is removed at the end. */
export function benchFolder(closers: Closers): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'svodka-bench-'))
  // PostgreSQL may run as another user, who must be able to traverse it.
  chmodSync(folder, 0o711)
  closers.onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

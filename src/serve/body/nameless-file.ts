/** A file that nobody finds, and what is said where the disk fails. Knows nothing of what it holds. */
import { openSync, unlinkSync } from 'node:fs'

/** The disk or the folder failed. Without a code: what the system says of files is not said of replicas. */
export class SpoolError extends Error {
  override readonly name = 'SpoolError'

  constructor(cause: Error) {
    super(`what a slow reader has not taken: ${cause.message}`, { cause })
  }
}

/** @throws SpoolError */
export function openNameless(path: string): number {
  try {
    const descriptor = openSync(path, 'wx+', 0o600)
    // why: a file without a name is gone with the process, however that ends
    unlinkSync(path)
    return descriptor
  } catch (error) {
    throw new SpoolError(error as Error)
  }
}

/** That answers which are not read yet are as much as they may be, and the problem that this is. Knows no file. */
import { internalError } from '../../model/errors.ts'
import type { Problem } from '../../model/errors.ts'
import { SinkFullError } from '../replica/replica-run.ts'
import type { Bytes } from '../../model/terms.ts'
import { tooMuchUnread } from './unread.ts'

/** All files together, or those of one organization, have grown to their bound. */
export class SpoolFullError extends SinkFullError {
  override readonly name = 'SpoolFullError'
  /** This file would not fit if it were the only one. */
  readonly isAlone: boolean

  constructor(whose: string, usedBytes: Bytes, maxBytes: Bytes, isAlone: boolean) {
    super(`${whose} have ${usedBytes} bytes in files already, expected at most ${maxBytes} in all`)
    this.isAlone = isAlone
  }
}

/** @param error of the file that a slow reader reads from */
export function problemOfFile(error: unknown): Problem | undefined {
  if (error === undefined) return undefined
  return error instanceof SpoolFullError ? tooMuchUnread(error) : internalError(error)
}

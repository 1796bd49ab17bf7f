/** Waits for the replica no longer than a time of our own, and tells the first of several errors. Knows no question. */
import { DatabaseError } from 'pg'
import type { ClientBase } from 'pg'
import { Problem } from '../../model/errors.ts'
import { replicaProblem } from '../../serve/replica/classify-error.ts'
import { within } from '../../serve/replica/connection.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** A server or a network that says nothing hangs nobody. */
export async function inTime<T>(
  client: ClientBase,
  timeoutMs: Milliseconds,
  ask: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now()
  try {
    return await within(timeoutMs, client, ask)
  } catch (error) {
    if (error instanceof DatabaseError || performance.now() - startedMs < timeoutMs) throw error
    throw silence(timeoutMs, error)
  }
}

export function silence(timeoutMs: Milliseconds, cause: unknown): Problem {
  const late = new Error(`no answer within ${timeoutMs / 1000} s`, { cause })
  return replicaProblem('replica_unavailable', late)
}

/** The client's own time ran out, after the server's should have. */
export function isSilence(error: unknown): boolean {
  return error instanceof Problem && error.code === 'report_timeout'
}

/** The error of the work is the one to tell: with a connection that is gone there is no way back either. */
export async function thenBack<T>(
  work: () => Promise<T>,
  back: () => Promise<unknown>,
): Promise<T> {
  let done: T
  try {
    done = await work()
  } catch (error) {
    await back().catch(() => {})
    throw error
  }
  await back()
  return done
}

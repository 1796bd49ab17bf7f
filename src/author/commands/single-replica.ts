/** The replica of a command: one connection, closed at the end, without a probe. */
import { monotonicClock } from '../../model/clock.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError } from '../../serve/database/classify-error.ts'
import type { Attempts, Replicas } from '../../serve/database/attempts.ts'
import { createReplica, type Replica, type ReplicaExecution } from '../../serve/database/replica.ts'
import type { StatementRequest } from '../../serve/database/statement-request.ts'
import { refuseForbidden } from './definition-error.ts'
import type { CommandQuestion } from './question.ts'

/**
 * Executes nothing that the gateway would refuse.
 * @returns the result of `use`, and the execution time without connecting
 * @throws errors of `use`
 */
export async function withReplica<T>(
  question: CommandQuestion,
  use: (replicas: Pick<Replicas, 'begin'>) => Promise<T>,
): Promise<{ readonly found: T; readonly durationMs: Milliseconds }> {
  const { config } = question
  let durationMs: Milliseconds = 0
  const replica = createReplica({
    connectionString: config.databaseUrls[0]!,
    poolSize: 1,
    connectTimeoutMs: config.connectTimeoutMs,
    allowPrimary: config.allowPrimary,
    state: () => undefined,
    stateAgeMs: () => Infinity,
    observe: fact => {
      if (fact.kind === 'connection-acquired') durationMs -= fact.durationMs
      if (fact.kind === 'execution') durationMs += fact.durationMs ?? 0
    },
    now: monotonicClock,
  })
  let found: T
  try {
    await replica.lend(read => refuseForbidden(read, question))
    found = await use({ begin: (request, signal) => oneAttempt(replica, request, signal) })
  } finally {
    // why: this ends an execution whose output was closed
    await replica.close()
  }
  return { found, durationMs }
}

/** Without retries. */
function oneAttempt(replica: Replica, request: StatementRequest, signal: AbortSignal): Attempts {
  let execution: ReplicaExecution | undefined
  const toThrow = (error: unknown) => (signal.aborted ? error : classifyError(error))
  const failSent = (error: unknown, rowCount: number): unknown => {
    execution?.report(rowCount, error)
    return toThrow(error)
  }
  return {
    async next() {
      try {
        return (execution = await replica.execute(request, signal).started)
      } catch (error) {
        throw toThrow(error)
      }
    },
    succeed: rowCount => execution?.report(rowCount),
    async fail(error, rowCount) {
      throw failSent(error, rowCount)
    },
    failSent,
  }
}

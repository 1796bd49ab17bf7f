/** The replica as a command asks it: one connection, closed at the end, no probe beside it. */
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError } from '../../serve/replica/classify-error.ts'
import type { Attempts, Replicas } from '../../serve/replica/attempts.ts'
import { createReplica, type Replica, type ReplicaExecution } from '../../serve/replica/replica.ts'
import type { StatementRequest } from '../../serve/replica/statement-request.ts'
import type { Question } from './question.ts'

/**
 * @returns what `ask` found, and how long the run took, without the way to the connection
 * @throws whatever `ask` throws.
 */
export async function withReplica<T>(
  { config, now }: Pick<Question, 'config' | 'now'>,
  ask: (replicas: Pick<Replicas, 'begin'>) => Promise<T>,
): Promise<{ readonly found: T; readonly durationMs: Milliseconds }> {
  let durationMs: Milliseconds = 0
  const replica = createReplica({
    connectionString: config.databaseUrls[0]!,
    poolSize: 1,
    connectTimeoutMs: config.connectTimeoutMs,
    allowPrimary: config.allowPrimary,
    prepared: config.prepared,
    state: () => undefined,
    stateAgeMs: () => Infinity,
    observe: fact => {
      if (fact.kind === 'connection-acquired') durationMs -= fact.durationMs
      if (fact.kind === 'run') durationMs += fact.durationMs ?? 0
    },
    now,
  })
  let found: T
  try {
    found = await ask({ begin: (request, signal) => oneAttempt(replica, request, signal) })
  } finally {
    // why: a run that its reader has left ends in here
    await replica.close()
  }
  return { found, durationMs }
}

/** What fails is not tried again. */
function oneAttempt(replica: Replica, request: StatementRequest, signal: AbortSignal): Attempts {
  let execution: ReplicaExecution | undefined

  function failSent(error: unknown, rowCount: number): unknown {
    execution?.report(rowCount, error)
    return signal.aborted ? error : classifyError(error)
  }

  return {
    async next() {
      try {
        return (execution = await replica.execute(request, signal).started)
      } catch (error) {
        throw signal.aborted ? error : classifyError(error)
      }
    },
    succeed: rowCount => execution?.report(rowCount),
    async fail(error, rowCount) {
      throw failSent(error, rowCount)
    },
    failSent,
  }
}

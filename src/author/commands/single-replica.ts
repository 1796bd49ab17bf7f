/** The replica of a command: one connection, closed at the end, without a probe. */
import { monotonicClock } from '../../model/clock.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError } from '../../serve/database/classify-error.ts'
import type { Execute } from '../../serve/database/execute.ts'
import { createReportServer } from '../../serve/database/report-server.ts'
import { refuseForbidden } from './definition-error.ts'
import type { CommandQuestion } from './question.ts'

/**
 * Executes nothing that the gateway would refuse. Without retries.
 * @returns the result of `use`, and the execution time without connecting
 * @throws errors of `use`
 */
export async function withReplica<T>(
  question: CommandQuestion,
  use: (execute: Execute) => Promise<T>,
): Promise<{ readonly found: T; readonly durationMs: Milliseconds }> {
  const { config, request } = question
  let durationMs: Milliseconds = 0
  const server = createReportServer({
    connectionString: config.databaseUrls[0]!,
    poolSize: 1,
    connectTimeoutMs: config.connectTimeoutMs,
    allowPrimary: config.allowPrimary,
    observe: fact => {
      if (fact.kind === 'connection-acquired') durationMs -= fact.durationMs
      if (fact.kind === 'execution') durationMs += fact.durationMs ?? 0
    },
    now: monotonicClock,
  })
  let found: T
  try {
    await server.withSession(read => refuseForbidden(read, request.definition, config))
    found = await use(async (statement, stop, read) => {
      try {
        const slot = { queueMs: 0, release: () => {} }
        return await server.execute({ request: statement, slot, stop, read })
      } catch (error) {
        throw stop.reason === undefined ? classifyError(error) : error
      }
    })
  } finally {
    // why: this ends an execution whose output was closed
    await server.pool.end()
  }
  return { found, durationMs }
}

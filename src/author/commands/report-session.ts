/** Executions of a command: on one session, without retries; their errors are those of a command. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { describeFinding, findingsOf, type FileFinding } from '../../definitions/findings.ts'
import type { Config } from '../../config/config.ts'
import type { ProblemCode } from '../../model/errors.ts'
import { serverFindings } from '../../definitions/server-objects.ts'
import { readServerObjects } from '../../serve/start/dry-run.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import type { Execute } from '../../serve/database/execute.ts'
import { executeOnSession } from '../../serve/database/session-execution.ts'
import { classifyError, wordsOf } from '../../serve/database/classify-error.ts'
import { faultOf } from '../../serve/start/fault.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import type { CommandQuestion } from './question.ts'
import { queriesOn, withSession } from './session.ts'
import { isBug } from '../check/session.ts'
import { displayFinding } from '../../command/output.ts'

/** Problems of the database or the network. */
const UNRELATED_PROBLEMS: ReadonlySet<ProblemCode> = new Set(['replica_unavailable', 'overloaded'])

/**
 * A session of reports. Executes nothing that the gateway would refuse.
 * @throws CommandError if it is unreachable, or with the findings of objects that the gateway would refuse; errors of `use`
 */
export function withReportSession<T>(
  config: Config,
  definitions: readonly AnyDefinition[],
  use: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  return withSession(config, async client => {
    const server = await readServerObjects(queriesOn(client), definitions)
    const findings = definitions.flatMap(({ file, source }) =>
      findingsOf(file, serverFindings(source, server)),
    )
    if (findings.length > 0) throw findingError(findings, config.sqlDir)
    return use(client)
  })
}

/** As `withReportSession`, for one question. @throws CommandError, also for what `use` throws, unless it is a bug */
export function askReplica<T>(
  { request: { definition, organization }, config }: CommandQuestion,
  use: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  return withReportSession(config, [definition], use).catch((error: unknown) => {
    throw definitionError(error, definition, organization.idType, config.sqlDir)
  })
}

/** Each in a transaction of its own. */
export function executeIn(client: DatabaseClient): Execute {
  return async ({ text, values, timeoutMs }, stop, read) =>
    read(
      await executeOnSession(
        client,
        { text, values, timeoutMs, isReadOnly: true, before: [] },
        stop,
      ),
    )
}

export function findingError(findings: readonly FileFinding[], sqlDir: string): CommandError {
  const lines = findings.map(finding => describeFinding(displayFinding(finding, sqlDir)))
  return new CommandError(EXIT.findings, lines.join('\n'))
}

/** @returns a CommandError, or the error itself if it is a bug */
export function definitionError(
  error: unknown,
  definition: AnyDefinition,
  idType: string,
  sqlDir: string,
): unknown {
  if (error instanceof CommandError) return error
  const problem = classifyError(error)
  const cause = problem.cause ?? problem
  if (isBug(cause)) return cause
  if (!UNRELATED_PROBLEMS.has(problem.code))
    return findingError([faultOf(problem, definition, idType)], sqlDir)
  return new CommandError(EXIT.environment, `The database cannot be queried: ${wordsOf(cause)}`)
}

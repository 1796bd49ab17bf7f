/** Converts errors of an execution, and what the gateway would not execute, to errors of a command. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { describeFinding, findingsOf, type FileFinding } from '../../definitions/findings.ts'
import type { ProblemCode } from '../../model/errors.ts'
import { serverFindings } from '../../definitions/server-objects.ts'
import { readServerObjects } from '../../serve/start/dry-run.ts'
import type { ReadRows } from '../../serve/database/connection.ts'
import { classifyError, wordsOf } from '../../serve/database/classify-error.ts'
import { faultOf } from '../../serve/start/fault.ts'
import { CommandError, EXIT } from '../../serve/start/command.ts'
import type { CommandQuestion } from './question.ts'
import { isBug } from './session.ts'
import { displayFinding } from '../../serve/start/output.ts'

/** Problems of the database or the network. */
const UNRELATED_PROBLEMS: ReadonlySet<ProblemCode> = new Set(['replica_unavailable', 'overloaded'])

/** @throws CommandError with the findings of objects that the gateway would refuse */
export async function refuseForbidden(
  read: ReadRows,
  definition: AnyDefinition,
  config: CommandQuestion['config'],
): Promise<void> {
  const server = await readServerObjects(read, [definition])
  const findings = findingsOf(definition.file, serverFindings(definition.source, server))
  if (findings.length > 0) throw findingError(findings, config)
}

function findingError(
  findings: readonly FileFinding[],
  { sqlDir }: CommandQuestion['config'],
): CommandError {
  const lines = findings.map(finding => describeFinding(displayFinding(finding, sqlDir)))
  return new CommandError(EXIT.findings, lines.join('\n'))
}

/** @returns a CommandError, or the error itself if it is a bug */
export function definitionError(
  error: unknown,
  { request, config }: Pick<CommandQuestion, 'request' | 'config'>,
): unknown {
  if (error instanceof CommandError) return error
  const { definition, organization } = request
  const problem = classifyError(error)
  const cause = problem.cause ?? problem
  if (isBug(cause)) return cause
  if (!UNRELATED_PROBLEMS.has(problem.code)) {
    return findingError([faultOf(problem, definition, organization.idType)], config)
  }
  return new CommandError(EXIT.environment, `The database cannot be queried: ${wordsOf(cause)}`)
}

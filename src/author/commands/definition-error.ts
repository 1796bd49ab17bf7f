/** Converts errors of an execution to errors of a command. */
import { describeFinding } from '../../definitions/findings.ts'
import { classifyError } from '../../serve/replica/classify-error.ts'
import { faultOf, isFaultOfDefinition, wordsOf } from '../../serve/replica/fault.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import type { CommandQuestion } from './question.ts'
import { isBug } from './session.ts'
import { displayFinding } from '../../serve/command-line/display-path.ts'

/** @returns a CommandError, or the error itself if it is a bug */
export function definitionError(
  error: unknown,
  { request, config }: Pick<CommandQuestion, 'request' | 'config'>,
): unknown {
  const { definition, organization } = request
  const problem = classifyError(error)
  const cause = problem.cause ?? problem
  if (isBug(cause)) return cause
  if (isFaultOfDefinition(problem)) {
    const fault = faultOf(problem, definition, organization.idType)
    return new CommandError(EXIT.findings, describeFinding(displayFinding(fault, config.sqlDir)))
  }
  return new CommandError(EXIT.environment, `The database cannot be queried: ${wordsOf(cause)}`)
}

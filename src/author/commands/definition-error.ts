/** What went wrong while a definition ran, as the end of a command. */
import { describeFinding } from '../../definitions/findings.ts'
import { classifyError } from '../../serve/replica/classify-error.ts'
import { faultOf, isFaultOfDefinition, wordsOf } from '../../serve/replica/fault.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import type { Question } from './question.ts'
import { shownFinding } from '../../serve/command-line/shown-path.ts'

/** @returns a CommandError, or what was thrown where that is a fault of ours */
export function definitionError(
  error: unknown,
  { request, config }: Pick<Question, 'request' | 'config'>,
): unknown {
  const { definition, organization } = request
  const problem = classifyError(error)
  const cause = problem.cause ?? problem
  if (cause instanceof TypeError || cause instanceof ReferenceError) return cause
  if (isFaultOfDefinition(problem)) {
    const fault = faultOf(problem, definition, organization.idType)
    return new CommandError(EXIT.findings, describeFinding(shownFinding(fault, config.sqlDir)))
  }
  return new CommandError(EXIT.environment, `The database cannot be asked: ${wordsOf(cause)}`)
}

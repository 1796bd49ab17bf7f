/** Sends a Problem as an RFC 9457 response: only its code, title and `detail`, nothing internal. */
import { internalError, Problem, problemFields, PROBLEMS } from '../../model/errors.ts'
import { jsonText } from '../formats/json/json-text.ts'
import { chooseLanguage } from './negotiation.ts'
import type { Language } from './negotiation.ts'
import type { Request } from './request.ts'
import { problemHead } from './response-head.ts'
import type { Sender } from './sender.ts'

export function problemBody(problem: Problem, language: Language, requestId: string): string {
  return `${jsonText(problemFields(problem, language, requestId))}\n`
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8'

const CHALLENGES = [
  'WWW-Authenticate',
  'Bearer realm="svodka"',
  'WWW-Authenticate',
  'Basic realm="svodka", charset="UTF-8"',
]

/**
 * Sends the error of a request. If a part of the response was sent, disconnects the client.
 * @param more headers, alternating names and values
 */
export function sendProblem(
  sender: Sender,
  request: Request,
  error: unknown,
  more: readonly string[] = [],
): void {
  const { response, headers, origin, fact } = request
  const problem = error instanceof Problem ? error : internalError(error)
  const { code, cause, refusal, retryAfterSeconds } = problem
  const { status } = PROBLEMS[code]
  Object.assign(fact, { problem: code, cause, refusal, retryAfterSeconds })
  if (response.headersSent) return void response.destroy()
  const language = chooseLanguage(headers.acceptLanguage)
  const head = [...problemHead(language), 'Content-Type', PROBLEM_CONTENT_TYPE, ...more]
  if (status === 401) head.push(...CHALLENGES)
  if (code === 'method_not_allowed') head.push('Allow', 'GET, HEAD')
  if (retryAfterSeconds !== undefined) head.push('Retry-After', String(retryAfterSeconds))
  const body = Buffer.from(problemBody(problem, language, origin.requestId))
  sender.sendBytes(request, status, head, body)
}

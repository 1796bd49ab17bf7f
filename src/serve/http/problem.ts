/** Sends a Problem as an RFC 9457 response: only its code, title and `detail`, nothing internal. */
import { internalError, Problem, problemFields, PROBLEMS } from '../../model/errors.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { jsonText } from '../formats/json/json-text.ts'
import { chooseLanguage } from './negotiation.ts'
import type { Language } from './negotiation.ts'
import { completeHead, problemHead, setAll, setCors } from './response-head.ts'
import type { Connections } from './connections.ts'
import type { RequestState } from './active-requests.ts'

export function problemBody(problem: Problem, language: Language, requestId: string): string {
  return `${jsonText(problemFields(problem, language, requestId))}\n`
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8'

const CHALLENGES = ['Bearer realm="svodka"', 'Basic realm="svodka", charset="UTF-8"']

/** Sends the error of a request, without Koa. Overrides headers that were set before. */
export function sendProblem(
  state: RequestState,
  error: unknown,
  options: {
    readonly connections: Connections
    readonly stallTimeoutMs: Milliseconds
    readonly now: Clock
  },
): void {
  const { request, response, requestId } = state
  const problem = error instanceof Problem ? error : internalError(error)
  const { code, cause, refusal, retryAfterSeconds } = problem
  Object.assign(state, { problem: code, cause, refusal, retryAfterSeconds })
  if (response.headersSent) return void response.destroy()
  const language = chooseLanguage(request.headers['accept-language'])
  const body = Buffer.from(problemBody(problem, language, requestId))
  response.statusCode = PROBLEMS[code].status
  setAll(response, problemHead(requestId, language))
  setCors(state)
  if (response.statusCode === 401) response.setHeader('WWW-Authenticate', CHALLENGES)
  if (code === 'method_not_allowed') response.setHeader('Allow', 'GET, HEAD')
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds))
  setAll(response, ['Content-Type', PROBLEM_CONTENT_TYPE, 'Content-Length', String(body.length)])
  completeHead(state, options)
  response.setTimeout(options.stallTimeoutMs, () => response.destroy())
  response.end(body)
}

/** A Problem as an RFC 9457 body. Nothing internal ever shows: only what the catalogue and `detail` say. */
import { PROBLEMS } from '../../model/errors.ts'
import type { Problem } from '../../model/errors.ts'
import { chooseLanguage } from './accept-language.ts'
import type { Language } from './accept-language.ts'
import { problemHead } from './answer-head.ts'
import { setAll } from './answer.ts'
import type { ApiContext } from './request-state.ts'

/** @see https://www.rfc-editor.org/rfc/rfc9457 */
export function problemBody(problem: Problem, language: Language, requestId: string): string {
  const { status, title } = PROBLEMS[problem.code]
  const body = {
    type: `urn:svodka:problem:${problem.code}`,
    title: title[language],
    status,
    detail: problem.detail[language],
    code: problem.code,
    requestId,
  }
  return `${JSON.stringify(body)}\n`
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8'

/** Of a 401. */
export const CHALLENGES = ['Bearer realm="svodka"', 'Basic realm="svodka", charset="UTF-8"']

export function sendProblem(ctx: ApiContext, problem: Problem): void {
  const language = chooseLanguage(ctx.get('Accept-Language'))
  const { status } = PROBLEMS[problem.code]
  ctx.status = status
  setAll(ctx, problemHead(ctx.state.requestId, language))
  if (status === 401) ctx.set('WWW-Authenticate', CHALLENGES)
  if (problem.code === 'method_not_allowed') ctx.set('Allow', 'GET, HEAD')
  if (problem.retryAfterSeconds !== undefined) {
    ctx.set('Retry-After', String(problem.retryAfterSeconds))
  }
  ctx.body = problemBody(problem, language, ctx.state.requestId)
  ctx.type = PROBLEM_CONTENT_TYPE
}

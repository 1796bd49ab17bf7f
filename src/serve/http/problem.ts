/** A Problem as an RFC 9457 response: only its code, title and `detail`, nothing internal. */
import { problemFields, PROBLEMS } from '../../model/errors.ts'
import type { Problem } from '../../model/errors.ts'
import { jsonText } from '../formats/json/json-text.ts'
import type { Language } from './negotiation.ts'
import { VARY } from './response-head.ts'

export function problemBody(problem: Problem, language: Language, requestId: string): string {
  return `${jsonText(problemFields(problem, language, requestId))}\n`
}

const CHALLENGES = [
  'WWW-Authenticate',
  'Bearer realm="svodka"',
  'WWW-Authenticate',
  'Basic realm="svodka", charset="UTF-8"',
]

/** Alternating names and values. */
export function problemHead({ code, retryAfterSeconds }: Problem, language: Language): string[] {
  const head = ['Content-Type', 'application/problem+json; charset=utf-8']
  head.push('Vary', `${VARY}, Accept-Language`, 'Cache-Control', 'no-store')
  head.push('Content-Language', language)
  if (PROBLEMS[code].status === 401) head.push(...CHALLENGES)
  if (code === 'method_not_allowed') head.push('Allow', 'GET, HEAD')
  if (retryAfterSeconds !== undefined) head.push('Retry-After', String(retryAfterSeconds))
  return head
}

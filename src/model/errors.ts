/**
 * The catalogue of errors that a client may receive. Codes are stable: never reused or renamed.
 * `serve/http/response.ts` makes the RFC 9457 response.
 */
import { EN_PROBLEMS } from '../texts/en/problems.ts'
import { filled, textsIn, type ProblemTexts } from '../texts/texts.ts'

export const PROBLEMS = {
  api_key_required: { status: 401 },
  api_key_invalid: { status: 401 },
  module_locked: { status: 402 },
  not_found: { status: 404 },
  report_not_found: { status: 404 },
  metric_not_found: { status: 404 },
  report_not_allowed: { status: 403 },
  method_not_allowed: { status: 405 },
  bad_range: { status: 400 },
  bad_format: { status: 400 },
  result_too_large: { status: 400 },
  bad_request: { status: 400 },
  request_timeout: { status: 408 },
  range_not_satisfiable: { status: 416 },
  precondition_failed: { status: 412 },
  precondition_required: { status: 428 },
  rate_limited: { status: 429 },
  headers_too_large: { status: 431 },
  internal_error: { status: 500 },
  access_unavailable: { status: 503 },
  overloaded: { status: 503 },
  replica_unavailable: { status: 503 },
  report_timeout: { status: 504 },
} as const satisfies Record<keyof ProblemTexts['titles'], { readonly status: number }>

export type ProblemCode = keyof typeof PROBLEMS

/** One sentence in the language of the texts, without SQL, hosts, keys or stacks. */
export type Detail = (texts: ProblemTexts) => string

/** Those of no product. */
const NO_WORDS = { tier: '', keys: '' }

/** For the log and the terminal. */
export function inEnglish(detail: Detail): string {
  return filled(detail(EN_PROBLEMS), 'en', NO_WORDS)
}

/** Why a request was rejected before its execution. */
export const REFUSAL_REASONS = ['requests', 'waiting', 'overloaded'] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** An error that the client receives. `cause` is only logged. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly detail: Detail
  /** Whole seconds from 1 to 120; undefined if a retry does not help. */
  readonly retryAfterSeconds: number | undefined
  /** Set for `rate_limited` and `overloaded`, for the metric and the log. */
  readonly refusal: RefusalReason | undefined

  constructor(
    code: ProblemCode,
    detail: Detail,
    options: { cause?: unknown; retryAfterSeconds?: number; refusal?: RefusalReason } = {},
  ) {
    super(`${code}: ${inEnglish(detail)}`, { cause: options.cause })
    this.code = code
    this.detail = detail
    this.retryAfterSeconds = options.retryAfterSeconds
    this.refusal = options.refusal
  }
}

/** The members of a problem's body. @see https://www.rfc-editor.org/rfc/rfc9457 */
export function problemFields(
  { code, detail }: Pick<Problem, 'code' | 'detail'>,
  language: string,
  product: typeof NO_WORDS,
  requestId: string,
) {
  const { status } = PROBLEMS[code]
  const { problems } = textsIn(language)
  return {
    type: `urn:svodka:problem:${code}`,
    title: filled(problems.titles[code], language, product),
    status,
    detail: filled(detail(problems), language, product),
    code,
    requestId,
  }
}

/** An error that the client did not cause. @param cause is only logged */
export function internalError(cause: unknown): Problem {
  return new Problem('internal_error', texts => texts.internalError, { cause })
}

/** A client's text, safe to repeat in a response: at most 40 characters, no control or bidirectional ones. */
export function printable(text: string): string {
  // why: cut first, since a client may send 16 KiB; a character is two UTF-16 code units at most
  const chars = Array.from(text.slice(0, 2 * (MAX_PRINTED + 1)))
  const safe = chars.slice(0, MAX_PRINTED).join('').replaceAll(UNPRINTABLE, '?')
  return chars.length > MAX_PRINTED ? `${safe}…` : safe
}

/** Characters. */
const MAX_PRINTED = 40
const UNPRINTABLE = /[^\p{L}\p{N}\p{P}\p{S} ]/gu

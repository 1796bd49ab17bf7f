/** Errors as OpenAPI responses, one for each status, with an example for each code. */
import { problemFields, PROBLEMS } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import { headerRefs } from './headers.ts'
import type { HeaderName } from './headers.ts'

/** Headers that a status has besides the common ones. */
const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
}

const CODES = Object.keys(PROBLEMS) as ProblemCode[]
const STATUSES = [...new Set(CODES.map(code => PROBLEMS[code].status))]

/** By name, as in `Problem404`. */
export const PROBLEM_RESPONSES = Object.fromEntries(
  STATUSES.map(status => [`Problem${status}`, responseOf(status)]),
)

/** References for an operation, by status. */
export function problemRefs(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map(status => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )
}

function responseOf(status: number): object {
  const codes = CODES.filter(code => PROBLEMS[code].status === status)
  const examples = codes.map(code => {
    const problem = { code, detail: PROBLEMS[code].title }
    return [code, { value: problemFields(problem, 'ru', '9d6c1060-7b83-4907-8f0c-2f6d3c1a4b5e') }]
  })
  const schema = { $ref: '#/components/schemas/Problem' }
  return {
    description: codes.map(code => `\`${code}\`: ${PROBLEMS[code].title.en}`).join('; '),
    headers: headerRefs(['Content-Language', ...(HEADERS_OF[status] ?? [])]),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  }
}

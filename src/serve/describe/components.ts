/** Components of the OpenAPI document: headers, parameters, problems. */
import { COMPARISONS } from '../../definitions/comparison-period.ts'
import type { Product } from '../../definitions/product.ts'
import { problemFields, PROBLEMS, type ProblemCode } from '../../model/errors.ts'
import { HEADERS, PARAMETERS } from '../../texts/en/openapi.ts'
import { EN_PROBLEMS } from '../../texts/en/problems.ts'
import { filled, textsIn, type ProblemTexts } from '../../texts/texts.ts'

const date = { type: 'string', examples: ['2026-01-31', '20260131', '2026-01-31T00:00:00Z'] }
const text = { type: 'string' }

const { common, data, others } = HEADERS
export type HeaderName = keyof typeof common | keyof typeof data | keyof typeof others

/** Headers that are no texts. */
const HEADER_SCHEMAS: { readonly [Name in HeaderName]?: object } = {
  'Data-As-Of': { type: 'string', format: 'date-time' },
  Age: { type: 'integer', minimum: 0 },
  'Retry-After': { type: 'integer' },
}

export const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries({ ...common, ...data, ...others }).map(([name, description]) => {
    return [name, { description, schema: HEADER_SCHEMAS[name as HeaderName] ?? text }]
  }),
)

export const DATA_HEADERS = Object.keys(data) as HeaderName[]

/** References to the headers of every response and to these. */
export function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  const all = [...Object.keys(common), ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

export type ParameterName = keyof typeof PARAMETERS

/** Parameters that are no texts. */
const PARAMETER_SCHEMAS: { readonly [Name in ParameterName]?: object } = {
  from: date,
  to: date,
  preset: { enum: ['excel'] },
  end: { enum: ['true', 'false'] },
  compare: { enum: COMPARISONS },
}
const IN_HEADERS: readonly ParameterName[] = ['If-None-Match', 'Accept-Language']

export const PARAMETER_COMPONENTS = Object.fromEntries(
  Object.entries(PARAMETERS).map(([key, description]) => {
    const name = key as ParameterName
    const place = IN_HEADERS.includes(name) ? 'header' : 'query'
    return [name, { name, in: place, description, schema: PARAMETER_SCHEMAS[name] ?? text }]
  }),
)

/** @param own of the report */
export function parameterRefs(
  names: readonly ParameterName[],
  own: readonly object[] = [],
): object[] {
  const all = [...names, ...IN_HEADERS]
  return [...own, ...all.map(name => ({ $ref: `#/components/parameters/${name}` }))]
}

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

/** The responses by name, such as `Problem404`. */
export function problemResponses(product: Product): Record<string, object> {
  const all = STATUSES.map(status => [`Problem${status}`, responseOf(status, product)])
  return Object.fromEntries(all) as Record<string, object>
}

/** References for an operation, by status. */
export function problemRefs(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map(status => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )
}

function responseOf(status: number, product: Product): object {
  const { language } = product
  const codes = CODES.filter(code => PROBLEMS[code].status === status)
  const examples = codes.map(code => {
    const problem = { code, detail: ({ titles }: ProblemTexts) => titles[code] }
    return [code, { value: problemFields(problem, language, product, REQUEST_ID) }]
  })
  const titleOf = (code: ProblemCode): string =>
    translated(filled(EN_PROBLEMS.titles[code], 'en', product), language)
  const schema = { $ref: '#/components/schemas/Problem' }
  return {
    description: codes.map(code => `\`${code}\`: ${titleOf(code)}`).join('; '),
    headers: headerRefs(['Content-Language', ...(HEADERS_OF[status] ?? [])]),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  }
}

const REQUEST_ID = '9d6c1060-7b83-4907-8f0c-2f6d3c1a4b5e'

/** A text of the document, all of which are in the code in English. */
export function translated(english: string, language: string): string {
  return textsIn(language).openapi[english] ?? english
}

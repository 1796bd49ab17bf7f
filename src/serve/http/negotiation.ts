/**
 * What a client asks for: by parameters of the query, and by content negotiation, with the library that Koa uses, format,
 * content coding and language.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import accepts from 'accepts'
import { inclusiveDates } from '../../definitions/calendar.ts'
import { COMPARISONS } from '../../definitions/comparison-period.ts'
import { isIgnored, isPaging } from '../../definitions/query-names.ts'
import { PERIOD_PARAMETERS, type PeriodQuery } from '../../definitions/period.ts'
import type { Product } from '../../definitions/product.ts'
import { printable, Problem } from '../../model/errors.ts'
import { REPORT_FORMATS, type Period, type ReportFormat } from '../../model/terms.ts'
import { OFFERED_FORMATS } from '../formats/catalog.ts'
import type { Coding } from '../report/body.ts'
import { TEXTS } from '../../texts/texts.ts'

/** The values of parameters that have few. */
const CHOICES = {
  compare: COMPARISONS,
  format: REPORT_FORMATS,
  preset: ['excel'],
  end: ['true', 'false'],
} as const

type Choices = { readonly [Name in keyof typeof CHOICES]?: (typeof CHOICES)[Name][number] }

/** Percent-decoded. */
export type QueryValues = PeriodQuery &
  Choices & { readonly codes?: string } & Readonly<Record<string, string | undefined>>

const MAX_PARAMETERS = 50

/**
 * An unknown parameter is rejected: ignored, it would give other figures with 200.
 * @param known parameters of this path, and of its definition
 * @returns with whether the query has parameters that are ignored
 * @throws Problem that names the unknown or repeated parameter, or one with a wrong value
 */
export function readParameters(
  queryString: string,
  known: readonly string[],
): { values: QueryValues; hasIgnored: boolean } {
  // why: counted before the parser decodes them
  if (queryString.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    throw new Problem('bad_request', texts => texts.tooManyParameters(MAX_PARAMETERS))
  const values: Record<string, string> = {}
  let hasIgnored = false
  for (const [name, value] of new URLSearchParams(queryString)) {
    if (!known.includes(name)) {
      if (!isIgnored(name)) throw unknownParameter(name, known)
      hasIgnored = true
    } else {
      if (Object.hasOwn(values, name)) throw repeated(name)
      values[name] = value
    }
  }
  // why: aliases of the fast path contain what was read, so a value must be one of these even if it has no effect
  for (const [name, choices] of Object.entries<readonly string[]>(CHOICES)) {
    const value = values[name]
    if (value !== undefined && !choices.includes(value)) throw wrongChoice(name, value, choices)
  }
  return { values, hasIgnored }
}

function wrongChoice(name: string, value: string, choices: readonly string[]): Problem {
  const code = name === 'compare' ? 'bad_request' : 'bad_format'
  return new Problem(code, texts => texts.wrongChoice(name, printable(value), choices.join(', ')))
}

function repeated(name: string): Problem {
  const isOfPeriod = PERIOD_PARAMETERS.some(one => one === name)
  return new Problem(isOfPeriod ? 'bad_range' : 'bad_request', texts =>
    texts.repeatedParameter(name),
  )
}

function unknownParameter(name: string, known: readonly string[]): Problem {
  return new Problem('bad_request', texts =>
    texts.unknownParameter(printable(name), known.join(', '), isPaging(name)),
  )
}

/**
 * The canonical query of a response, with an explicit period.
 * @param parameters of the definition, each with `&`
 */
export function canonicalQuery(
  period: Period,
  parameters: string,
  more: Readonly<Record<string, string | undefined>>,
): string {
  const { from, to } = inclusiveDates(period)
  let query = `from=${from}&to=${to}${parameters}`
  for (const [name, value] of Object.entries(more)) if (value) query += `&${name}=${value}`
  return query
}

/**
 * Longer headers, and those with more entries, are ignored.
 * why: the library needs 50 ms for 16 KiB of `Accept`, and 0.4 ms for 512 bytes with 120 entries
 */
const MAX_LENGTH = 512
const MAX_ENTRIES = 20

/** @returns the function, which gets no such header */
function bounded<T, More extends unknown[]>(choose: (header: string, ...more: More) => T) {
  return (header = '', ...more: More): T => {
    const isLong =
      header.length > MAX_LENGTH || header.split(',', MAX_ENTRIES + 1).length > MAX_ENTRIES
    return choose(isLong ? '' : header, ...more)
  }
}

function negotiate(headers: IncomingHttpHeaders): accepts.Accepts {
  return accepts({ headers } as IncomingMessage)
}

/** `identity` even if the header excludes it: clients would only retry a 406. */
export const chooseCoding = bounded((acceptEncoding): Coding => {
  const coding = negotiate({ 'accept-encoding': acceptEncoding }).encodings(['gzip', 'identity'])
  return coding === 'gzip' ? 'gzip' : 'identity'
})

/** One of `TEXTS`; the product's if none is acceptable. */
export const chooseLanguage = bounded((acceptLanguage, { language }: Product): string => {
  const accepted = negotiate({ 'accept-language': acceptLanguage })
  const offered = [language, ...Object.keys(TEXTS).filter(one => one !== language)]
  // why: of two offered languages, the library prefers a later exact match to a preceding `en-US`
  for (const tag of accepted.languages()) {
    if (tag === '*') return accepted.languages(offered) || language
    const chosen = offered.find(one => `${tag.toLowerCase()}-`.startsWith(`${one}-`))
    if (chosen !== undefined) return chosen
  }
  return language
})

/**
 * The path's suffix decides, else `?format=`, else `Accept`.
 * @returns with the query parameter that selected a variant, for `Content-Location`
 */
export function chooseFormat(
  extension: ReportFormat | undefined,
  values: QueryValues,
  accept: string | undefined,
) {
  const name = extension ?? values.format ?? acceptedFormat(accept)
  const { format, variant } = OFFERED_FORMATS[name]
  if (variant === undefined || values[variant.parameter] !== variant.value)
    return { name, format, query: {} }
  return { name, format: variant.format, query: { [variant.parameter]: variant.value } }
}

/** Media types as `Accept` may name them, with the parameters of the format: `text/csv; charset=utf-8`. */
const FORMAT_OF_TYPE: ReadonlyMap<string, ReportFormat> = new Map(
  REPORT_FORMATS.flatMap(name => {
    const { format, aliases = [] } = OFFERED_FORMATS[name]
    return [format.contentType, ...aliases].map(type => [type, name] as const)
  }),
)
const OFFERED_TYPES = [...FORMAT_OF_TYPE.keys()]

/** The default format if none is acceptable. */
const acceptedFormat = bounded((accept): ReportFormat => {
  const type = negotiate({ accept }).types(OFFERED_TYPES)
  return FORMAT_OF_TYPE.get(String(type)) ?? REPORT_FORMATS[0]
})

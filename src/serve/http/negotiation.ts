/** Content negotiation by the library that Koa uses: content coding, language, format of a report. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import accepts from 'accepts'
import { REPORT_FORMATS, type ReportFormat } from '../../model/terms.ts'
import { OFFERED_FORMATS } from '../formats/catalog.ts'
import type { Coding } from '../report/gzip.ts'
import type { ParameterValues } from './read-parameters.ts'

/**
 * Longer headers, and those with more entries, are ignored.
 * why: the library needs 50 ms for 16 KiB of `Accept`, and 0.4 ms for 512 bytes with 120 entries
 */
const MAX_LENGTH = 512
const MAX_ENTRIES = 20

/** Clients send few different headers. */
const MAX_REMEMBERED = 200

/** @returns the function with a memory of its results. why: the library needs 4 us for both headers */
function remembered<T extends string>(
  choose: (header: string) => T,
): (header: string | undefined) => T {
  const results = new LRUCache({ max: MAX_REMEMBERED, memoMethod: choose })
  return (header = '') => {
    const isLong =
      header.length > MAX_LENGTH || header.split(',', MAX_ENTRIES + 1).length > MAX_ENTRIES
    return results.memo(isLong ? '' : header)
  }
}

function negotiate(headers: IncomingHttpHeaders): accepts.Accepts {
  return accepts({ headers } as IncomingMessage)
}

/** `identity` even if the header excludes it: clients would only retry a 406. */
export const chooseCoding = remembered((acceptEncoding): Coding => {
  const coding = negotiate({ 'accept-encoding': acceptEncoding }).encodings(['gzip', 'identity'])
  return coding === 'gzip' ? 'gzip' : 'identity'
})

export type Language = 'ru' | 'en'

/** Russian if no language is acceptable. */
export const chooseLanguage = remembered((acceptLanguage): Language => {
  const accepted = negotiate({ 'accept-language': acceptLanguage })
  // why: of two offered languages, the library prefers a later exact match to a preceding `en-US`
  const first = accepted.languages().find(tag => /^(?:ru|en|\*)(?:-|$)/i.test(tag))
  const chosen = first === '*' ? accepted.languages(['ru', 'en']) : first
  return /^en/i.test(String(chosen)) ? 'en' : 'ru'
})

/**
 * By the path's suffix, else by `?format=`, else by `Accept`.
 * @returns with the query parameter that selected a variant, for `Content-Location`
 */
export function chooseFormat(
  extension: ReportFormat | undefined,
  values: ParameterValues,
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
    const { format, mediaTypes } = OFFERED_FORMATS[name]
    return [format.contentType, ...mediaTypes.slice(1)].map(type => [type, name] as const)
  }),
)
const OFFERED_TYPES = [...FORMAT_OF_TYPE.keys()]

/** The default format if none is acceptable. */
const acceptedFormat = remembered((accept): ReportFormat => {
  const type = negotiate({ accept }).types(OFFERED_TYPES)
  return FORMAT_OF_TYPE.get(String(type)) ?? REPORT_FORMATS[0]
})

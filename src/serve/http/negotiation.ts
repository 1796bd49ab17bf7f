/** Content negotiation by the library that Koa uses. Knows no bodies. */
import type { IncomingMessage } from 'node:http'
import accepts from 'accepts'
import type { Coding } from '../report/gzip.ts'

/**
 * Longer headers are ignored.
 * why: the library needs 50 ms for 16 KiB of `Accept`, and up to 1 ms for this length
 */
const MAX_HEADER_LENGTH = 512

function negotiate(
  name: 'accept' | 'accept-encoding' | 'accept-language',
  header: string | undefined,
): accepts.Accepts {
  const isIgnored = header === undefined || header.length > MAX_HEADER_LENGTH
  return accepts({ headers: isIgnored ? {} : { [name]: header } } as IncomingMessage)
}

/** Clients send few different headers. */
const MAX_REMEMBERED = 200

/** @returns the function with a memory of its results. why: the library needs 4 us for both headers */
export function remembered<T>(
  choose: (header: string | undefined) => T,
): (header: string | undefined) => T {
  const results = new Map<string | undefined, T>()
  return header => {
    const known = results.get(header)
    if (known !== undefined) return known
    const chosen = choose(header)
    if (results.size >= MAX_REMEMBERED) results.clear()
    if (header === undefined || header.length <= MAX_HEADER_LENGTH) results.set(header, chosen)
    return chosen
  }
}

/** The media type that `Accept` prefers; undefined if none is acceptable. */
export function chooseMediaType(accept: string | undefined, offered: string[]): string | undefined {
  const type = negotiate('accept', accept).types(offered)
  return typeof type === 'string' ? type : undefined
}

/** `identity` even if the header excludes it: clients would only retry a 406. */
export const chooseCoding = remembered((acceptEncoding): Coding => {
  const coding = negotiate('accept-encoding', acceptEncoding).encodings(['gzip', 'identity'])
  return coding === 'gzip' ? 'gzip' : 'identity'
})

export type Language = 'ru' | 'en'

/** Russian if no language is acceptable. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const accepted = negotiate('accept-language', acceptLanguage)
  // why: of two offered languages, the library prefers a later exact match to a preceding `en-US`
  const first = accepted.languages().find(tag => /^(?:ru|en|\*)(?:-|$)/i.test(tag))
  const chosen = first === '*' ? accepted.languages(['ru', 'en']) : first
  return /^en/i.test(String(chosen)) ? 'en' : 'ru'
}

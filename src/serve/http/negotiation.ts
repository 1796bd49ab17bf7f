/** Content negotiation by the library that Koa uses. Knows no bodies. */
import type { IncomingMessage } from 'node:http'
import accepts from 'accepts'
import { LRUCache } from 'lru-cache'
import type { Coding } from '../report/gzip.ts'

/**
 * Longer headers are ignored.
 * why: the library needs 50 ms for 16 KiB of `Accept`, and up to 1 ms for this length
 */
const MAX_HEADER_LENGTH = 512

/** Clients send few different headers. */
const MAX_REMEMBERED = 200

/** @returns the function with a memory of its results. why: the library needs 4 us for both headers */
export function remembered<T extends string>(
  choose: (header: string) => T,
): (header: string | undefined) => T {
  const results = new LRUCache({ max: MAX_REMEMBERED, memoMethod: choose })
  return (header = '') => results.memo(header.length > MAX_HEADER_LENGTH ? '' : header)
}

export function negotiate(
  name: 'accept' | 'accept-encoding' | 'accept-language',
  header: string,
): accepts.Accepts {
  return accepts({ headers: { [name]: header } } as unknown as IncomingMessage)
}

/** `identity` even if the header excludes it: clients would only retry a 406. */
export const chooseCoding = remembered((acceptEncoding): Coding => {
  const coding = negotiate('accept-encoding', acceptEncoding).encodings(['gzip', 'identity'])
  return coding === 'gzip' ? 'gzip' : 'identity'
})

export type Language = 'ru' | 'en'

/** Russian if no language is acceptable. */
export const chooseLanguage = remembered((acceptLanguage): Language => {
  const accepted = negotiate('accept-language', acceptLanguage)
  // why: of two offered languages, the library prefers a later exact match to a preceding `en-US`
  const first = accepted.languages().find(tag => /^(?:ru|en|\*)(?:-|$)/i.test(tag))
  const chosen = first === '*' ? accepted.languages(['ru', 'en']) : first
  return /^en/i.test(String(chosen)) ? 'en' : 'ru'
})

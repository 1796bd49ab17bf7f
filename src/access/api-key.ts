/** The key that a request presents, read from its headers. Knows neither Koa nor the database. */
import { createHash } from 'node:crypto'

/** SHA-256 of a key, in lower-case hex. */
export type KeyHash = string

export type PresentedKey =
  | { readonly kind: 'none' }
  /** No such key can exist: it is refused without a look-up. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'key'; readonly hash: KeyHash }

/** Node's `headersDistinct`: every occurrence of a header on its own. */
export type DistinctHeaders = NodeJS.Dict<string[]>

const MAX_KEY_BYTES = 512
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/**
 * `Authorization` (Bearer, or Basic with the key as password or else as user name) wins over
 * `X-Api-Key`. A header that is repeated, empty or of another scheme holds no key.
 */
export function readApiKey(headers: DistinctHeaders): PresentedKey {
  const key = authorizationKey(only(headers['authorization'])) || only(headers['x-api-key'])
  if (key === undefined || key === '') return { kind: 'none' }
  if (key.length > MAX_KEY_BYTES || !PRINTABLE_ASCII.test(key)) return { kind: 'impossible' }
  return { kind: 'key', hash: createHash('sha256').update(key, 'latin1').digest('hex') }
}

function only(values: string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0]?.replace(/^[ \t]+|[ \t]+$/g, '') : undefined
}

function authorizationKey(value: string | undefined): string | undefined {
  const [, scheme, credentials] = /^([^ ]+) +(.+)$/.exec(value ?? '') ?? []
  if (scheme === undefined || credentials === undefined) return undefined
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credentials
    case 'basic':
      return basicKey(credentials)
    default:
      return undefined
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc7617 user-id and password, base64 of `user:password` in UTF-8. */
function basicKey(credentials: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(credentials)) return undefined
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 0) return undefined
  return pair.slice(colon + 1) || pair.slice(0, colon)
}

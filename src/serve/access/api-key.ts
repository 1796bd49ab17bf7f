/**
 * The key that a request presents, read from its headers. Knows neither Koa nor the database.
 *
 * No plain key outlives the call. Keys are read without regular expressions: V8 retains the text of the last
 * match.
 */
import { hash } from 'node:crypto'

/** SHA-256 of a key, in lower-case hex. */
export type KeyHash = string

export type PresentedKey =
  | { readonly kind: 'none' }
  /** No such key can exist: it is rejected without a look-up. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'key'; readonly hash: KeyHash }

const MAX_KEY_BYTES = 512

/**
 * `Authorization` takes precedence over `X-Api-Key`. It is Bearer, or Basic with the key as password or, if
 * that is empty, as user name. A header that is empty or of another scheme is ignored. Node has removed blanks around
 * values.
 */
export function presentedKey(
  authorization: string | undefined,
  apiKey: string | undefined,
): PresentedKey {
  const key = authorizationKey(authorization ?? '') || (apiKey ?? '')
  if (key === '') return { kind: 'none' }
  if (key.length > MAX_KEY_BYTES || !isPrintableAscii(key)) return { kind: 'impossible' }
  return { kind: 'key', hash: hash('sha256', key) }
}

const BLANK = 0x20

function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/** Empty if the header contains no key. */
function authorizationKey(value: string): string {
  const blank = value.indexOf(' ')
  if (blank < 0) return ''
  let start = blank
  while (value.charCodeAt(start) === BLANK) start += 1
  const credentials = value.slice(start)
  switch (value.slice(0, blank).toLowerCase()) {
    case 'bearer':
      return credentials
    case 'basic':
      return basicKey(credentials)
    default:
      return ''
  }
}

/** Decodes base64 of `user:password` in UTF-8; Node ignores other characters. @see https://www.rfc-editor.org/rfc/rfc7617 */
function basicKey(credentials: string): string {
  // why: a buffer from Node's shared pool would retain the key until it is overwritten
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(credentials, 'base64'))
  const length = bytes.write(credentials, 'base64')
  const pair = bytes.toString('utf8', 0, length)
  bytes.fill(0)
  const colon = pair.indexOf(':')
  if (colon < 0) return ''
  return pair.slice(colon + 1) || pair.slice(0, colon)
}

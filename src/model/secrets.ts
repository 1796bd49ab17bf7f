/** Removes secrets from texts for people: credentials in URLs, and the passwords in the settings. */

export type RemoveSecrets = (text: string) => string

const HIDDEN = '***'

/**
 * A shorter password, or one that is also a user, a host or a database, is removed only from URLs. In other
 * text it may be an ordinary word.
 */
const SHORTEST_WORD = 8
const SHORTEST_WITH_PUNCTUATION = 4

/**
 * Removes the credentials of all URLs from a text, and the passwords of `urls` anywhere in it, plain and
 * percent-encoded.
 *
 * @param urls of databases; text that is not a URL is secret as a whole
 * @param later further ones, which may be added after the call
 */
export function createSecretRemoval(
  urls: readonly string[],
  later: readonly string[] = [],
): RemoveSecrets {
  let laterCount = 0
  let longestFirst = secretsIn(urls)
  return text => {
    if (later.length !== laterCount) longestFirst = secretsIn([...urls, ...later])
    laterCount = later.length
    let rest = text
    for (const secret of longestFirst) {
      if (rest.includes(secret)) rest = rest.replaceAll(secret, HIDDEN)
    }
    return hideCredentials(rest)
  }
}

/** The longest first. */
function secretsIn(urls: readonly string[]): string[] {
  const publicNames = new Set(urls.flatMap(publicNamesOf))
  const secrets = urls
    .flatMap(passwordsOf)
    .filter(password => isDistinct(password) && !publicNames.has(password))
    .flatMap(spellingsOf)
  return [...new Set(secrets)].toSorted((one, other) => other.length - one.length)
}

/** `postgres://***@host`: hides up to the last `@` before a blank or quote; a password may have any other character. */
export function hideCredentials(text: string): string {
  let result = ''
  let from = 0
  for (;;) {
    const scheme = text.indexOf('://', from)
    if (scheme === -1) return result + text.slice(from)
    const start = scheme + 3
    const end = endOfWord(text, start)
    result += text.slice(from, start) + withoutPassword(text.slice(start, end))
    from = end
  }
}

/** @param url without its scheme; returned unchanged if it has no password or is the example `user:password` */
function withoutPassword(url: string): string {
  const at = url.lastIndexOf('@')
  const credentials = url.slice(0, Math.max(at, 0))
  const isSecret = credentials.includes(':') && credentials !== 'user:password'
  return isSecret ? `${HIDDEN}${url.slice(at)}` : url
}

function endOfWord(text: string, start: number): number {
  const delimiter = /[\s"]/g
  delimiter.lastIndex = start
  return delimiter.exec(text)?.index ?? text.length
}

function isDistinct(password: string): boolean {
  if (password.length >= SHORTEST_WORD) return true
  return password.length >= SHORTEST_WITH_PUNCTUATION && /[^\w.-]/.test(password)
}

/** Passwords as the URL has them, and decoded. */
function passwordsOf(url: string): string[] {
  const passwords = [url.includes('://') ? '' : url, betweenColonAndAt(url)]
  if (URL.canParse(url)) {
    const { password, searchParams } = new URL(url)
    passwords.push(password, searchParams.get('password') ?? '')
  }
  return passwords.flatMap(password => [password, decoded(password)])
}

/** The password as a person reads it: an unescaped `/`, `#` or `?` in it would end it early for a URL parser. */
function betweenColonAndAt(url: string): string {
  const afterScheme = url.slice(url.indexOf('://') + 1).replace(/^\/\//, '')
  const colon = afterScheme.indexOf(':')
  const at = afterScheme.lastIndexOf('@')
  return colon === -1 || colon > at ? '' : afterScheme.slice(colon + 1, at)
}

/** All spellings that an error or a JSON line may contain. */
function spellingsOf(password: string): string[] {
  const encoded = encodeURIComponent(decoded(password))
  const lowerCase = encoded.replaceAll(/%[0-9A-F]{2}/g, code => code.toLowerCase())
  return [password, encoded, lowerCase].flatMap(spelling => [
    spelling,
    JSON.stringify(spelling).slice(1, -1),
  ])
}

function publicNamesOf(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { username, hostname, pathname, searchParams } = new URL(url)
  const inQuery = ['user', 'host', 'dbname'].map(name => searchParams.get(name) ?? '')
  return [username, hostname, pathname.slice(1), ...inQuery].map(decoded)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

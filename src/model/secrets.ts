/** Takes secrets out of texts for people: credentials of any URL, and the passwords that the settings hold. */

export type RemoveSecrets = (text: string) => string

const HIDDEN = '***'

/**
 * A shorter password, or one that is also a user, a host or a database, is removed from URLs only: anywhere
 * else it may be an ordinary word.
 */
const SHORTEST_WORD = 8
const SHORTEST_WITH_PUNCTUATION = 4

/**
 * Removes from each text the credentials of URLs, and the passwords of these URLs wherever they stand, as
 * they are and percent-encoded.
 *
 * @param urls of databases; a text that is no URL is a secret as a whole
 */
export function createSecretRemoval(urls: readonly string[]): RemoveSecrets {
  const publicNames = new Set(urls.flatMap(publicNamesOf))
  const secrets = urls
    .flatMap(passwordsOf)
    .filter(password => isDistinct(password) && !publicNames.has(password))
    .flatMap(spellingsOf)
  const longestFirst = [...new Set(secrets)].toSorted((one, other) => other.length - one.length)
  return text => {
    let rest = text
    for (const secret of longestFirst) {
      if (rest.includes(secret)) rest = rest.replaceAll(secret, HIDDEN)
    }
    return hideCredentials(rest)
  }
}

/** `postgres://***@host`: up to the last `@` before a blank or a quote, since a password may hold any other character. */
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

/** @param url without its scheme; one that has no password stays as it is, as do the words of an example */
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

/** As the URL has them and decoded. */
function passwordsOf(url: string): string[] {
  const found = [url.includes('://') ? '' : url, betweenColonAndAt(url)]
  if (URL.canParse(url)) {
    const { password, searchParams } = new URL(url)
    found.push(password, searchParams.get('password') ?? '')
  }
  return found.flatMap(password => [password, decoded(password)])
}

/** What a person means by the password, even if `/`, `#` or `?` in it ends it early for a URL's grammar. */
function betweenColonAndAt(url: string): string {
  const afterScheme = url.slice(url.indexOf('://') + 1).replace(/^\/\//, '')
  const colon = afterScheme.indexOf(':')
  const at = afterScheme.lastIndexOf('@')
  return colon === -1 || colon > at ? '' : afterScheme.slice(colon + 1, at)
}

/** All the ways in which an error or a line of JSON may spell it. */
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

/** Names of parameters of a query that have a meaning of their own, which no definition may declare. */

const OF_API = new Set(['from', 'to', 'format', 'preset', 'end', 'compare', 'codes', 'period'])
/** What every object of JavaScript has, so that a client cannot tell whether a value is given. */
const OF_OBJECTS = 'constructor'

/** What browsers and tools add by themselves, and keys, which are read from headers only; in any case. */
const IGNORED: ReadonlySet<string> = new Set(
  [
    '_ t ts v cb nocache rnd timestamp gclid yclid ysclid fbclid msclkid _openstat',
    'key api_key apikey token access_token',
  ].flatMap(names => names.split(' ')),
)

const OF_PAGES = 'after|count|cursor|limit|max_?rows|offset|page|per_?page|size|skip|take|top'
const LIKE_PAGING = new RegExp(`^\\W*(?:${OF_PAGES})`, 'i')
const PAGING = new RegExp(`^(?:${OF_PAGES})(?:_|$)`)

export function isIgnored(name: string): boolean {
  const lowerCase = name.toLowerCase()
  return IGNORED.has(lowerCase) || lowerCase.startsWith('utm_')
}

/** Whether it looks like a parameter of pages, which there are none of. */
export function isPaging(name: string): boolean {
  return LIKE_PAGING.test(name)
}

export function isReserved(name: string): boolean {
  return OF_API.has(name) || name === OF_OBJECTS || isIgnored(name) || PAGING.test(name)
}

/** Rejects query parameters that are meant for known ones: ignored, they would give other figures with 200. */
import type { ParsedUrlQuery } from 'node:querystring'
import { printable, Problem } from '../../model/errors.ts'
import { nearest } from '../../model/spelling.ts'

/** Names of other APIs for a period, in small letters without `_` and `-`, by the parameter here. */
const PERIOD_WORDS: Readonly<Record<string, readonly string[]>> = {
  from: ['datefrom', 'fromdate', 'start', 'startdate', 'since'],
  to: ['dateto', 'todate', 'enddate', 'until'],
  'from, to': ['period', 'year', 'month'],
}
const PAGING_WORDS: ReadonlySet<string> = new Set(['page', 'offset', 'cursor'])
/** Shorter names are too often one slip from another word. */
const MIN_LENGTH = 4
/** The longest known parameter has seven letters. */
const MAX_LENGTH = 20

/** Of reports and metrics; other paths of a report are often tried with it. */
export const COMPARE = 'compare'

/**
 * @param known the parameters of this path
 * @throws Problem `bad_request` that names both parameters
 */
export function checkParameters(query: ParsedUrlQuery, known: readonly string[]): void {
  for (const name of Object.keys(query)) {
    if (name.length > MAX_LENGTH || known.includes(name)) continue
    if (name === COMPARE) throw noComparison()
    const word = name.toLowerCase().replaceAll(/[_-]/g, '')
    if (PAGING_WORDS.has(word)) throw noPaging(name)
    const meant = periodWord(word, known) ?? misspelt(word, known)
    if (meant !== undefined) throw unknownParameter(name, meant)
  }
}

/** @throws Problem `bad_request` if it is repeated */
export function singleValue(query: ParsedUrlQuery, name: string): string | undefined {
  const value = query[name]
  if (typeof value === 'string' || value === undefined) return value
  throw new Problem('bad_request', {
    ru: `Параметр ${name} указан больше одного раза, а ожидался один раз.`,
    en: `Parameter ${name} is given more than once; expected once.`,
  })
}

function periodWord(word: string, known: readonly string[]): string | undefined {
  if (!known.includes('from')) return undefined
  return Object.keys(PERIOD_WORDS).find(parameter => PERIOD_WORDS[parameter]!.includes(word))
}

function misspelt(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return word
  return word.length < MIN_LENGTH ? undefined : nearest(word, known, 1)
}

function unknownParameter(name: string, meant: string): Problem {
  const found = printable(name)
  return new Problem('bad_request', {
    ru: `Параметра ${found} нет, а ожидалось: ${meant}.`,
    en: `There is no parameter ${found}; expected ${meant}.`,
  })
}

function noComparison(): Problem {
  return new Problem('bad_request', {
    ru: `Параметр ${COMPARE} есть только у /reports/:code и /metrics.`,
    en: `Only /reports/:code and /metrics have the parameter ${COMPARE}.`,
  })
}

/** A wrong value, for messages. */
export function valueWords(value: string | readonly string[], language: 'ru' | 'en'): string {
  if (typeof value !== 'string') {
    return language === 'ru' ? 'указан больше одного раза' : 'is given more than once'
  }
  if (value === '') return language === 'ru' ? 'пуст' : 'is empty'
  return language === 'ru' ? `равен «${printable(value)}»` : `is "${printable(value)}"`
}

function noPaging(name: string): Problem {
  const found = printable(name)
  return new Problem('bad_request', {
    ru: `Параметра ${found} нет: ответ приходит целиком, без страниц. Меньше строк даёт более короткий период (from, to).`,
    en: `There is no parameter ${found}: a response is complete and has no pages. A shorter period (from, to) has fewer rows.`,
  })
}

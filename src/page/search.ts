/** Search in the catalogue: the stem of every word of the query must begin a word of the report or metric. */

import type { RU_FORMATS } from '../texts/ru/formats.ts'

/** In small letters, without two dots above: many do not type them. */
export function normalize(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll('\u0308', '').normalize()
}

function wordsOf(text: string): string[] {
  return normalize(text).match(/[\p{L}\p{N}&]+/gu) ?? []
}

/** What a report is found by. */
export function textOf(report: {
  readonly title: string
  readonly description?: string | null | undefined
  readonly keywords: readonly string[]
  readonly code: string
}): string {
  return [report.title, report.description, report.code, ...report.keywords].join(' ')
}

/** Finds items by their texts: those whose title or code matches, those with the very words, the others. */
export function createSearch<Item extends { readonly title: string; readonly code: string }>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  { endings, ignored }: typeof RU_FORMATS.search,
): (query: string) => Item[] {
  const indexed = items.map(item => ({
    item,
    title: wordsOf(`${item.title} ${item.code}`),
    words: wordsOf(textOf(item)),
  }))
  const cut = endings.split(' ').map(ending => new RegExp(`${ending}$`))
  const stemOf = (word: string): string => cut.reduce((stem, end) => stem.replace(end, ''), word)
  return query => {
    const wanted = wordsOf(query).filter(word => !ignored.split(' ').includes(word))
    const stems = wanted.map(stemOf)
    const isIn = (words: readonly string[]): boolean =>
      stems.every(stem => words.some(word => word.startsWith(stem)))
    // why: an order and a customer may have one stem
    const rankOf = ({ title, words }: (typeof indexed)[number]): number =>
      isIn(title) ? 0 : wanted.every(word => words.includes(word)) ? 1 : 2
    const found = indexed.filter(({ words }) => isIn(words))
    return found.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ item }) => item)
  }
}

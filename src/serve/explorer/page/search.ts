/** Search in the catalogue: every word of the query must begin a word of the report. */
import type { ListedReport } from './api.ts'

/** In small letters, with е for ё. */
export function normalize(text: string): string {
  return text.toLowerCase().replaceAll('ё', 'е')
}

function wordsOf(text: string): string[] {
  return normalize(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A predicate for one query, which is typed letter by letter. */
export function createSearch(reports: readonly ListedReport[]): (query: string) => ListedReport[] {
  const indexed = reports.map(report => {
    const { title, description, keywords, code } = report
    return { report, words: wordsOf([title, description ?? '', code, ...keywords].join(' ')) }
  })
  return query => {
    const prefixes = wordsOf(query)
    const matches = indexed.filter(({ words }) =>
      prefixes.every(prefix => words.some(word => word.startsWith(prefix))),
    )
    return matches.map(({ report }) => report)
  }
}

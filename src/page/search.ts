/** Search in the catalogue: every word of the query, without its last vowel, must begin a word of the report or metric. */
/** In small letters, with е for ё. */
export function normalize(text: string): string {
  return text.toLowerCase().replaceAll('ё', 'е')
}

function wordsOf(text: string): string[] {
  return normalize(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Finds items by their texts. */
export function createSearch<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): (query: string) => Item[] {
  const indexed = items.map(item => ({ item, words: wordsOf(textOf(item)) }))
  return query => {
    // why: «прибыль» also means «прибыли»
    const prefixes = wordsOf(query).map(word => word.replace(/(?<=.{4})[аеийоуыьэюя]$/, ''))
    const matches = indexed.filter(({ words }) =>
      prefixes.every(prefix => words.some(word => word.startsWith(prefix))),
    )
    return matches.map(({ item }) => item)
  }
}

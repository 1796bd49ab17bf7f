/** Search in the catalogue: the stem of every word of the query must begin a word of the report or metric. */

/** In small letters, with е for ё. */
export function normalize(text: string): string {
  return text.toLowerCase().replaceAll('ё', 'е')
}

function wordsOf(text: string): string[] {
  return normalize(text).match(/[\p{L}\p{N}&]+/gu) ?? []
}

/** why: «прибыль» also means «прибыли», «просроченные» also «просрочено» */
const ENDING =
  /(?<=.{3})(?:[ыи]ми|[оаея]ми|[оеи]го|[оеи]му|[аоеиыую][еийюях]|[аоеиыя]м|[ое]в|[ао]ть|ить|[аеийоуыьэюя])$/

/** Words that say nothing of what is wanted. */
const IGNORED = new Set(
  'в во за и из к как какие какой кто мне мои мой мы на нам нас наш наши о об от по с сколько со у что я for in my of the to'.split(
    ' ',
  ),
)

function stemOf(word: string): string {
  return word.replace(ENDING, '').replace(/нн$/, 'н')
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
): (query: string) => Item[] {
  const indexed = items.map(item => ({
    item,
    title: wordsOf(`${item.title} ${item.code}`),
    words: wordsOf(textOf(item)),
  }))
  return query => {
    const wanted = wordsOf(query).filter(word => !IGNORED.has(word))
    const stems = wanted.map(stemOf)
    const isIn = (words: readonly string[]): boolean =>
      stems.every(stem => words.some(word => word.startsWith(stem)))
    // why: «заказать» has the stem of «заказчики»
    const rankOf = ({ title, words }: (typeof indexed)[number]): number =>
      isIn(title) ? 0 : wanted.every(word => words.includes(word)) ? 1 : 2
    const found = indexed.filter(({ words }) => isIn(words))
    return found.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ item }) => item)
  }
}

/** `Accept-Language`: the language of a problem. */
import { parseWeightedList } from './weighted-list.ts'

export type Language = 'ru' | 'en'

/** English where it is preferred to Russian. A region is ignored: `en-GB` is English. */
export function chooseLanguage(acceptLanguage: string): Language {
  const weights = new Map<string, number>()
  for (const { name, weight } of parseWeightedList(acceptLanguage)) {
    const hyphen = name.indexOf('-')
    const language = hyphen < 0 ? name : name.slice(0, hyphen)
    // why: of equal weights the first counts, and a Map keeps the order of first insertion
    weights.set(language, Math.max(weights.get(language) ?? 0, weight))
  }
  const weightOf = (language: Language): number => weights.get(language) ?? weights.get('*') ?? 0
  const [ru, en] = [weightOf('ru'), weightOf('en')]
  if (en !== ru) return en > ru ? 'en' : 'ru'
  const first = [...weights.keys()].find(language => language === 'ru' || language === 'en')
  return en > 0 && first === 'en' ? 'en' : 'ru'
}

/** What customers read, by language. A language is a folder, and its line here. */
import { EN_BODIES } from './en/bodies.ts'
import { EN_FORMATS } from './en/formats.ts'
import { EN_PAGE } from './en/page.ts'
import { EN_PROBLEMS } from './en/problems.ts'
import { RU_BODIES } from './ru/bodies.ts'
import { RU_FORMATS } from './ru/formats.ts'
import { RU_KIT } from './ru/kit.ts'
import { RU_PAGE } from './ru/page.ts'
import { RU_PROBLEMS } from './ru/problems.ts'

export type ProblemTexts = typeof RU_PROBLEMS

export interface LanguageTexts {
  readonly problems: ProblemTexts
  readonly bodies: typeof RU_BODIES
  readonly page: typeof RU_PAGE
  readonly formats: typeof RU_FORMATS
  /** Texts by the English ones, which are in the code; others remain English. */
  readonly openapi: Readonly<Record<string, string>>
  readonly kit: Readonly<Record<string, string>>
}

export const TEXTS: Record<string, LanguageTexts> = {
  ru: {
    problems: RU_PROBLEMS,
    bodies: RU_BODIES,
    page: RU_PAGE,
    formats: RU_FORMATS,
    openapi: {},
    kit: RU_KIT,
  },
  en: {
    problems: EN_PROBLEMS,
    bodies: EN_BODIES,
    page: EN_PAGE,
    formats: EN_FORMATS,
    openapi: {},
    kit: {},
  },
}

/** @param language one of `TEXTS` */
export function textsIn(language: string): LanguageTexts {
  return TEXTS[language]!
}

/** @param make is called once for each language */
export function perLanguage<T>(make: (language: string) => T): typeof make {
  const made = new Map<string, T>()
  return language => {
    const known = made.get(language)
    if (known !== undefined) return known
    const value = make(language)
    made.set(language, value)
    return value
  }
}

/** With an expression for a month and its year, as labels have them: `January 2026`, `31 January 2026`. */
export function formatsIn(language: string) {
  const { formats } = textsIn(language)
  const names = [{}, { day: 'numeric' } as const].flatMap(day => {
    const options = { ...day, month: 'long', timeZone: 'UTC' } as const
    const format = new Intl.DateTimeFormat(formats.locale, options)
    return Array.from({ length: 12 }, (_, at) => {
      return format.formatToParts(Date.UTC(2026, at)).find(({ type }) => type === 'month')?.value
    })
  })
  const monthAndYear = String.raw`^(?:\d\d? )?(?:${[...new Set(names)].join('|')}) \d{4}$`
  return { ...formats, monthAndYear }
}

/** Words of a product, as its `product.yaml` has them. */
interface OwnWords {
  readonly tier: string
  readonly keys: string
}

type Phrases = Readonly<Record<string, string>>

/** What stands for `{name}` in texts. @param own undefined for those of the language */
export function phrasesIn(language: string, own: OwnWords | undefined): Phrases {
  const { phrases, ownPhrases } = textsIn(language).problems
  return own === undefined ? phrases : { ...own, ...filled(ownPhrases, { ...own }) }
}

/** @see phrasesIn */
export function problemTexts(language: string, own: OwnWords | undefined): ProblemTexts {
  const { problems } = textsIn(language)
  const phrases = phrasesIn(language, own)
  return { ...filled(problems, phrases), titles: filled(problems.titles, phrases) }
}

function filled<T extends object>(texts: T, phrases: Phrases): T {
  const all = Object.entries(texts).map(([name, text]: [string, unknown]) => {
    if (typeof text !== 'string') return [name, text]
    return [name, text.replaceAll(/\{(\w+)\}/g, (_, key: string) => phrases[key] ?? '')]
  })
  return Object.fromEntries(all) as T
}

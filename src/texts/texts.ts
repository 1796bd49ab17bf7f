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

/** Texts by the English ones, which are in the code: without one, it remains English. */
type Table = Readonly<Record<string, string>>

const NONE: Table = {}
const RU = {
  problems: RU_PROBLEMS,
  bodies: RU_BODIES,
  page: RU_PAGE,
  formats: RU_FORMATS,
  openapi: NONE,
  kit: RU_KIT,
}
const EN = { problems: EN_PROBLEMS, bodies: EN_BODIES, page: EN_PAGE, formats: EN_FORMATS }

export type LanguageTexts = typeof RU

export const TEXTS: Record<string, LanguageTexts> = {
  ru: RU,
  en: { ...EN, openapi: NONE, kit: NONE },
}

/** @param language one of `TEXTS` */
export function textsIn(language: string): LanguageTexts {
  return TEXTS[language]!
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

/** Words of a product, as its `product.yaml` has them; empty without the file. */
interface OwnWords {
  readonly tier: string
  readonly keys: string
}

/** A text with the words of a product, or else those of the language, for `{tier}` and others. */
export function filled(text: string, language: string, { tier, keys }: OwnWords): string {
  const { phrases, ownPhrases } = textsIn(language).problems
  const ofTier = tier && { tier, belowTier: replaced(ownPhrases.belowTier, { tier }) }
  const ofKeys = keys && { atKeys: replaced(ownPhrases.atKeys, { keys }) }
  return replaced(text, Object.assign({}, phrases, ofTier || {}, ofKeys || {}))
}

function replaced(text: string, words: Table): string {
  // why: a client's text may have any name in braces
  return text.replaceAll(/\{(\w+)\}/g, (found, name: string) =>
    Object.hasOwn(words, name) ? words[name]! : found,
  )
}

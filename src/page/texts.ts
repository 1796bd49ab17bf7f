/**
 * The words of the page in its language, that of the document, and formats in both: the page's and the product's own.
 * Titles of reports and metrics are those of the definitions.
 */
import type { Currency } from '../model/currency.ts'
import type { PageOfProduct } from '../model/terms.ts'
import type { RU_FORMATS } from '../texts/ru/formats.ts'
import type { RU_PAGE } from '../texts/ru/page.ts'

type Words<T> = {
  readonly [Key in keyof T]: T[Key] extends object ? Words<T[Key]> & ByCode : T[Key]
}
/** Codes of the API may be unknown. */
type ByCode = Readonly<Record<string, string | undefined>>

interface Language {
  readonly PAGE: Words<typeof RU_PAGE>
  readonly FORMATS: Words<typeof RU_FORMATS> & { readonly monthAndYear: string }
}

const { lang, dataset } = document.documentElement
export const { language: ownLanguage = lang, atKeys = '' } = dataset
/** Of product.yaml. */
export const { groups, cards, shortfall }: PageOfProduct = JSON.parse(dataset['page']!)
/** Its digits may be others than those of ISO 4217. */
export const OWN_CURRENCY: Currency = JSON.parse(dataset['currency']!)
/** Titles by name. */
export const GROUPS = new Map(Object.entries(groups ?? {}))
/** By metric, the columns of a report by month that add up to it, or `none`. */
export const CARDS = new Map(Object.entries(cards ?? {}))

/** The server makes these files. */
async function load(language: string): Promise<Language> {
  return (await import(`../texts/${language}.js`)) as Language
}

export const { PAGE: TEXTS, FORMATS } = await load(lang)
export const { FORMATS: OWN_FORMATS } = await load(ownLanguage)

/** A text that says where a customer finds a key. */
export function withKeys(text: string): string {
  return text.replace('{atKeys}', atKeys)
}

const [script, ownScript] = [lang, ownLanguage].map(one => new Intl.Locale(one).maximize().script)
const OWN_LETTER = new RegExp(String.raw`\p{Script=${ownScript}}`, 'u')

/** The language of a text that is not the page's; undefined if its letters do not tell. */
export function foreignLanguage(text: string): string | undefined {
  return script !== ownScript && OWN_LETTER.test(text) ? ownLanguage : undefined
}

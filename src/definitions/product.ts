/** `product.yaml`: what one product differs in from another. Without the file it is Russian, in roubles. */
import { currencyOf, type Currency } from '../model/currency.ts'
import type { PageOfProduct } from '../model/terms.ts'
import { findingsOf, type FileFinding } from './findings.ts'
import { readYaml } from './front-matter.ts'
import { PRODUCT_SCHEMA } from './schemas.ts'
import { suggest } from '../model/spelling.ts'
import { TEXTS, textsIn } from '../texts/texts.ts'

export interface Product {
  /** Of bodies, and by default of errors and the page: one of those in `texts`. */
  readonly language: string
  /** Of money that names no other. */
  readonly currency: Currency
  /** The label of the totals row. */
  readonly total: string
  /** Where a customer finds a key, in messages; empty without words of its own. */
  readonly keys: string
  /** The tier that includes the API, in messages; empty without words of its own. */
  readonly tier: string
  readonly page: PageOfProduct
}

export const PRODUCT_FILE = 'product.yaml'

/** Without the file. */
export const DEFAULT_PRODUCT: Product = {
  language: 'ru',
  currency: currencyOf('RUB')!,
  total: textsIn('ru').bodies.total,
  keys: '',
  tier: '',
  page: {},
}

/** What definitions depend on; undefined if that is what they have without the file. */
export function wordsOfDefinitions(product: Product): string | undefined {
  const [words, ofNone] = [product, DEFAULT_PRODUCT].map(one =>
    JSON.stringify({ ...one, page: undefined }),
  )
  return words === ofNone ? undefined : words
}

/** Undefined for an unknown code. @param code of ISO 4217, or the product's own */
export function currencyIn({ currency }: Product, code: string): Currency | undefined {
  return code === currency.code ? currency : currencyOf(code)
}

/** @returns no product if there are findings */
export function parseProduct(
  text: string,
  file: string,
): { readonly product?: Product; readonly findings: readonly FileFinding[] } {
  const { matter, findings, lineOf } = readYaml(text, 0, text.length, PRODUCT_SCHEMA)
  if (matter === undefined) return { findings: findingsOf(file, findings) }
  const find = (message: string, ...path: string[]) =>
    findingsOf(file, [{ line: lineOf(path), message: `${path.join('.')}: ${message}` }])
  const { language, currency, total, keys = '', tier = '', page = {} } = matter
  if (!Object.hasOwn(TEXTS, language)) {
    const expected = suggest(language, Object.keys(TEXTS))
    return { findings: find(`found "${language}", ${expected}`, 'language') }
  }
  const { code, digits = currencyOf(code)?.digits } = currency
  if (digits !== undefined) {
    const product = { language, currency: { code, digits }, total, keys, tier, page }
    return { product, findings: [] }
  }
  const expected = `a code of ISO 4217, or its digits too, as { code: ${code}, digits: 2 }`
  return { findings: find(`found "${code}", expected ${expected}`, 'currency', 'code') }
}

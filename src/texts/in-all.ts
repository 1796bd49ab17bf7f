/** A text of `ru.ts` and the others in all languages, such as the detail of a problem. */
import { EN } from './en.ts'
import { RU } from './ru.ts'

const TEXTS = { ru: RU, en: EN }
export const LANGUAGES = Object.keys(TEXTS)

type Texts = typeof RU
type ValuesOf<Text> = Text extends (...values: infer Values) => string ? Values : []

/** @param values of the text, if it is a function */
export function inAll<Name extends keyof Texts>(name: Name, ...values: ValuesOf<Texts[Name]>) {
  const inLanguage = (language: keyof typeof TEXTS): string => {
    const text = TEXTS[language][name] as string | ((...all: typeof values) => string)
    return typeof text === 'string' ? text : text(...values)
  }
  return { ru: inLanguage('ru'), en: inLanguage('en') }
}

/** The values of a report's parameters in words, for sentences, workbooks and names of files. */
import { cutText } from '../model/cut-text.ts'
import { textsIn } from '../texts/texts.ts'
import type { ParameterValues, ReportDefinition } from './definition.ts'
import { valueType, type ParameterType } from './parameter-value.ts'
import { fieldWords } from './words.ts'

interface Selected {
  readonly definition: ReportDefinition
  readonly parameters: ParameterValues
}

/** `Warehouse: Main; Kind: Income`; undefined if all values are null. */
export function selectionWords({ definition, parameters }: Selected): string | undefined {
  const selected = definition.parameters.flatMap(({ name, title, type, choices }) => {
    const value = parameters.get(name) ?? null
    if (value === null) return []
    const label = choices?.find(choice => choice.value === value)?.label
    return `${title}: ${label ?? valueWords(definition, type, value)}`
  })
  return selected.length === 0 ? undefined : selected.join('; ')
}

/** UTF-16 code units of the selected values in a sentence. */
const MAX_SELECTION = 200

/** The sentence with the values other than the report's own, so that figures of some rows are not taken for those of all. */
export function withSelection(sentence: string, { definition, parameters }: Selected): string {
  if (parameters.size === 0) return sentence
  const { source, product } = definition
  // why: a key that fixes a value replaces the default, and shares the body with the keys that send it
  const chosen = [...parameters].filter(([name, value]) => {
    const { type, default: own } = source.matter.parameters![name]!
    return own === undefined || valueType(type).canonical(String(own)) !== value
  })
  const words = selectionWords({ definition, parameters: new Map(chosen) }) ?? ''
  if (words === '') return sentence
  const named = cutText(words, MAX_SELECTION) + (words.length > MAX_SELECTION ? '...' : '')
  return textsIn(product.language).bodies.ofSelection(sentence, named)
}

function valueWords(definition: ReportDefinition, type: ParameterType, value: string): string {
  const { product, currency } = definition
  const { language } = product
  if (type === 'boolean')
    return textsIn(language).bodies.workbook[value === 'true' ? 'true' : 'false']
  // why: a whole number is mostly an id
  return type === 'uuid' || type === 'integer' ? value : fieldWords(value, type, language, currency)
}

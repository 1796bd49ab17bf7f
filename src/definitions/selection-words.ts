/** The values of a report's parameters in words, for workbooks and names of files. */
import { textsIn } from '../texts/texts.ts'
import type { ParameterValues, ReportDefinition } from './definition.ts'
import type { ParameterType } from './parameter-value.ts'
import { fieldWords } from './words.ts'

/** `Warehouse: Main; Kind: Income`; undefined if all values are null. */
export function selectionWords({
  definition,
  parameters,
}: {
  readonly definition: ReportDefinition
  readonly parameters: ParameterValues
}): string | undefined {
  const selected = definition.parameters.flatMap(({ name, title, type, choices }) => {
    const value = parameters.get(name) ?? null
    if (value === null) return []
    const label = choices?.find(choice => choice.value === value)?.label
    return `${title}: ${label ?? valueWords(definition, type, value)}`
  })
  return selected.length === 0 ? undefined : selected.join('; ')
}

function valueWords(definition: ReportDefinition, type: ParameterType, value: string): string {
  const { product, currency } = definition
  const { language } = product
  if (type === 'boolean')
    return textsIn(language).bodies.workbook[value === 'true' ? 'true' : 'false']
  // why: a whole number is mostly an id
  return type === 'uuid' || type === 'integer' ? value : fieldWords(value, type, language, currency)
}

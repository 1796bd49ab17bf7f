/** Formats one raw field for the terminal, on one line, with its unit, in the product's language. */
import type { Definition } from '../../definitions/definition.ts'
import { fieldWords, NONE, numberWords } from '../../definitions/words.ts'
import type { Currency } from '../../model/currency.ts'
import type { ColumnType, MetricFormat, RawField } from '../../model/terms.ts'
import { createJsonField } from '../../serve/formats/json/json-field.ts'
import { textsIn } from '../../texts/texts.ts'

/** @throws FieldError if the field does not match the type. @param currency undefined for a plain number */
export type TextField = (raw: RawField, currency?: Currency) => string

/** @param name of the column or metric, for messages */
export function createTextField(
  name: string,
  type: ColumnType | MetricFormat,
  timeZone: string,
  { language }: Definition['product'],
): TextField {
  const toJson = createJsonField(name, type, timeZone)
  const wordsOf = (raw: string, json: string, currency?: Currency) => {
    if (type === 'days' || type === 'hours')
      return `${numberWords(raw, 'number', language)} ${textsIn(language).formats[type]}`
    if (type === 'date' || type === 'month') return JSON.parse(json) as string
    if (type === 'datetime') return json.slice(1, 20).replace('T', ' ')
    return oneLine(fieldWords(raw, type, language, currency))
  }
  return (raw, currency) => {
    // why: this rejects the same values as the API
    const json = toJson(raw)
    return raw === null ? NONE : wordsOf(raw, json, currency)
  }
}

/** Replaces characters that would move the cursor or change the text direction; a plain space can be typed in a search. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\r\n|[\n\r]/g, '↵')
    .replaceAll(/[\t\u00a0]/g, ' ')
    .replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** One raw field as a terminal shows it: on one line, figures as sentences have them, dates short. */
import { fieldWords, NONE, numberWords } from '../../definitions/words.ts'
import type { ColumnType, MetricFormat, RawField } from '../../model/terms.ts'
import { createJsonField } from '../../serve/formats/json/json-field.ts'

/** @throws FieldError if the field is not of the type. */
export type TextField = (raw: RawField) => string

/** @param name of the column, for messages. */
export function createTextField(name: string, type: ColumnType, timeZone: string): TextField {
  const toWords = words(type)
  const toJson = createJsonField(name, type, timeZone)
  return raw => {
    // why: what the API would refuse is refused here too
    const json = toJson(raw)
    return raw === null ? NONE : withoutBreaks(toWords(raw, json))
  }
}

/** With its unit: nothing else says it. */
export function createTextMetric(code: string, format: MetricFormat, timeZone: string): TextField {
  const toJson = createJsonField(code, format, timeZone)
  return raw => {
    toJson(raw)
    if (raw === null) return NONE
    if (format === 'days') return withoutBreaks(`${numberWords(raw, 'number')} дн.`)
    if (format === 'hours') return withoutBreaks(`${numberWords(raw, 'number')} ч`)
    return withoutBreaks(fieldWords(raw, format))
  }
}

function words(type: ColumnType): (raw: string, json: string) => string {
  switch (type) {
    case 'text':
      return oneLine
    case 'integer':
      return raw => fieldWords(raw, type)
    case 'number':
    case 'percent':
      return raw => withItsDecimals(raw, fieldWords(raw, type))
    case 'money':
      return raw => numberWords(raw, type)
    case 'date':
    case 'month':
      return (_raw, json) => dayFirst(JSON.parse(json) as string)
    case 'datetime':
      return (_raw, json) => localTime(JSON.parse(json) as string)
  }
}

/** The words leave out zeros at the end, and a column of figures would not stand under each other. */
function withItsDecimals(raw: string, words: string): string {
  const decimals = /\.\d+$/.exec(raw)?.[0].length ?? 0
  const shown = /,\d+/.exec(words)?.[0].length ?? 0
  // why: a sentence has three decimals at most
  const missing = Math.min(decimals, 4) - shown
  if (missing <= 0) return words
  return words.replace(
    /\d(?=\D*$)/,
    digit => `${digit}${shown === 0 ? ',' : ''}${'0'.repeat(shown === 0 ? missing - 1 : missing)}`,
  )
}

/** `31.12.2026`, `12.2026` */
function dayFirst(isoDate: string): string {
  return isoDate.split('-').toReversed().join('.')
}

/** `31.12.2026 23:59:59`, in the time zone that the instant was written in. */
function localTime(instant: string): string {
  return `${dayFirst(instant.slice(0, 10))} ${instant.slice(11, 19)}`
}

/** What would move the cursor, or turn the direction of what follows, is shown as what it is: not a letter. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\r\n|[\n\r]/g, '↵')
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** A cell is not broken anyway, and a plain blank can be typed and searched for. */
function withoutBreaks(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}

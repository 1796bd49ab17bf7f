/** Formats one raw field for the terminal, on one line: numbers in Russian format, short dates. */
import { fieldWords, NONE, numberWords } from '../../definitions/words.ts'
import type { Currency } from '../../model/currency.ts'
import type { ColumnType, MetricFormat, RawField } from '../../model/terms.ts'
import { createJsonField } from '../../serve/formats/json/json-field.ts'

/** @throws FieldError if the field does not match the type. */
export type TextField = (raw: RawField) => string

/** @param json as the API sends it */
type Words = (raw: string, json: string, currency: Currency) => string

const IN_COLUMN: Readonly<Record<ColumnType, Words>> = {
  text: oneLine,
  integer: raw => fieldWords(raw, 'integer'),
  number: withItsDecimals,
  percent: raw => `${withItsDecimals(raw)} %`,
  money: (raw, _, { digits }) => numberWords(raw, 'money', digits),
  date: (_, json) => dayFirst(JSON.parse(json) as string),
  month: (_, json) => dayFirst(JSON.parse(json) as string),
  datetime: (_, json) => localTime(JSON.parse(json) as string),
}

/** With the unit, which no header shows. */
const IN_METRIC: Readonly<Record<MetricFormat, Words>> = {
  money: (raw, _, currency) => fieldWords(raw, 'money', currency),
  percent: raw => fieldWords(raw, 'percent'),
  integer: raw => fieldWords(raw, 'integer'),
  number: raw => fieldWords(raw, 'number'),
  days: raw => `${numberWords(raw, 'number')} дн.`,
  hours: raw => `${numberWords(raw, 'number')} ч`,
}

/** @param name the column, for messages */
export function createTextField(
  name: string,
  type: ColumnType,
  timeZone: string,
  currency: Currency,
): TextField {
  return createField(IN_COLUMN[type], createJsonField(name, type, timeZone), currency)
}

export function createTextMetric(
  code: string,
  format: MetricFormat,
  timeZone: string,
  currency: Currency,
): TextField {
  return createField(IN_METRIC[format], createJsonField(code, format, timeZone), currency)
}

function createField(
  toWords: Words,
  toJson: (raw: RawField) => string,
  currency: Currency,
): TextField {
  return raw => {
    // why: this rejects the same values as the API
    const json = toJson(raw)
    // why: cells have no line breaks, and a plain space can be typed in a search
    return raw === null ? NONE : toWords(raw, json, currency).replaceAll('\u00a0', ' ')
  }
}

/** Three decimals at most, as in sentences. */
const BY_DECIMALS = [0, 1, 2, 3].map(
  decimals =>
    new Intl.NumberFormat('ru-RU', { minimumFractionDigits: decimals, maximumFractionDigits: 3 }),
)

/** why: sentences omit trailing zeros, but figures in a column must align */
function withItsDecimals(raw: string): string {
  const decimals = raw.split('.')[1]?.length ?? 0
  const words = BY_DECIMALS[Math.min(decimals, 3)]!.format(raw as `${number}`)
  return words.replace('-', '−')
}

/** `31.12.2026`, `12.2026` */
function dayFirst(isoDate: string): string {
  return isoDate.split('-').toReversed().join('.')
}

/** `31.12.2026 23:59:59`, in the time zone of the offset in the text. */
function localTime(instant: string): string {
  return `${dayFirst(instant.slice(0, 10))} ${instant.slice(11, 19)}`
}

/** Replaces characters that would move the cursor or change the text direction. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\r\n|[\n\r]/g, '↵')
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** Formats one raw field for the terminal, on one line, in the product's language. */
import { fieldWords, NONE, numberWords } from '../../definitions/words.ts'
import type { Definition } from '../../definitions/definition.ts'
import type { Currency } from '../../model/currency.ts'
import type { ColumnType, MetricFormat, RawField } from '../../model/terms.ts'
import { memoized } from '../../model/memoized.ts'
import { textsIn } from '../../texts/texts.ts'
import { createJsonField } from '../../serve/formats/json/json-field.ts'

/** @throws FieldError if the field does not match the type. */
export type TextField = (raw: RawField, currency?: Currency) => string

/** @param json as the API sends it */
type Words = (raw: string, json: string, style: Style) => string

/** A report or a file of metrics. */
interface Style extends Pick<Definition, 'product'> {
  /** Undefined if it is unknown. */
  readonly currency?: Currency | undefined
}

const IN_COLUMN: Readonly<Record<ColumnType, Words>> = {
  text: oneLine,
  integer: (raw, _, { product }) => fieldWords(raw, 'integer', product.language),
  number: (raw, _, { product }) => withItsDecimals(raw, product.language),
  percent: (raw, _, { product: { language } }) =>
    withItsDecimals(raw, language) + textsIn(language).formats.percent,
  money: (raw, _, { product, currency }) =>
    numberWords(raw, 'money', product.language, currency?.digits),
  date: (_, json, { product }) => dateText(JSON.parse(json) as string, product.language),
  month: (_, json, { product }) => dateText(JSON.parse(json) as string, product.language),
  datetime: (_, json, { product }) => localTime(JSON.parse(json) as string, product.language),
}

/** With the unit, which no header shows. */
function metricWords(raw: string, format: MetricFormat, { product, currency }: Style): string {
  const { language } = product
  if (format !== 'days' && format !== 'hours') return fieldWords(raw, format, language, currency)
  return `${numberWords(raw, 'number', language)} ${textsIn(language).formats[format]}`
}

/** @param name the column, for messages */
export function createTextField(
  name: string,
  type: ColumnType,
  timeZone: string,
  style: Style,
): TextField {
  return createField(IN_COLUMN[type], createJsonField(name, type, timeZone), style)
}

export function createTextMetric(
  code: string,
  format: MetricFormat,
  timeZone: string,
  style: Style,
): TextField {
  const toWords: Words = raw => metricWords(raw, format, style)
  return createField(toWords, createJsonField(code, format, timeZone), style)
}

function createField(toWords: Words, toJson: (raw: RawField) => string, style: Style): TextField {
  return (raw, currency = style.currency) => {
    // why: this rejects the same values as the API
    const json = toJson(raw)
    // why: cells have no line breaks, and a plain space can be typed in a search
    return raw === null
      ? NONE
      : toWords(raw, json, { product: style.product, currency }).replaceAll('\u00a0', ' ')
  }
}

/** Three decimals at most, as in sentences. */
const byDecimals = memoized((language: string) =>
  [0, 1, 2, 3].map(minimumFractionDigits => {
    const options = { minimumFractionDigits, maximumFractionDigits: 3 }
    return new Intl.NumberFormat(textsIn(language).formats.locale, options)
  }),
)

/** why: sentences omit trailing zeros, but figures in a column must align */
function withItsDecimals(raw: string, language: string): string {
  const decimals = raw.split('.')[1]?.length ?? 0
  const words = byDecimals(language)[Math.min(decimals, 3)]!.format(raw as `${number}`)
  return words.replace('-', '−')
}

/** As in CSV for Excel: `31.12.2026`, `12.2026`, or as it is. */
function dateText(isoDate: string, language: string): string {
  const { isDayFirst } = textsIn(language).formats.excel
  return isDayFirst ? isoDate.split('-').toReversed().join('.') : isoDate
}

/** `31.12.2026 23:59:59`, in the time zone of the offset in the text. */
function localTime(instant: string, language: string): string {
  return `${dateText(instant.slice(0, 10), language)} ${instant.slice(11, 19)}`
}

/** Replaces characters that would move the cursor or change the text direction. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\r\n|[\n\r]/g, '↵')
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** The rows that the table shows, as CSV for Excel: written like the API's, from what the page has loaded. */
import type { TableColumn } from './api.ts'
import { typeIn, wholeUnits, type CellValue, type Row } from './format.ts'
import { OWN_FORMATS, TEXTS } from './texts.ts'

/** What spreadsheets execute. */
const FORMULA = /^(?!-$)(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@＝＋－＠])/u
const { separator, decimal, isDayFirst, yearWord } = OWN_FORMATS.excel
/** What spreadsheets read as its first day. */
const MONTH = new RegExp(OWN_FORMATS.monthAndYear, 'iu')
/** Ends of the keys of a comparison's columns. */
const PARTS = ['compared', 'change', 'change_percent'] as const

/** @param totals undefined if they are not known */
export function shownCsv(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  totals: Row | undefined,
): string {
  const [first = {}] = rows
  const all = columns.flatMap(column => {
    const { key, title, type, currency } = column
    const added = PARTS.filter(part => first[`${key}_${part}`] !== undefined).map(part => ({
      key: `${key}_${part}`,
      title: `${title}, ${TEXTS.added[part]}`,
      type: part === 'change_percent' ? ('percent' as const) : type,
      currency,
    }))
    return [column, ...added]
  })
  const titles = all.map(({ title }) => cellOf(title, 'text'))
  const lines = [...rows, ...(totals === undefined ? [] : [totals])].map(row => {
    // why: in totals, a label may be in the place of the currency
    const codes = row === totals ? first : row
    return all.map(column => cellOf(row[column.key] ?? null, typeIn(column, codes)))
  })
  return `\uFEFF${[titles, ...lines].map(cells => `${cells.join(separator)}\r\n`).join('')}`
}

function cellOf(value: CellValue, type: string): string {
  if (typeof value === 'number') return wholeUnits(value, type).replace('.', decimal)
  const text = value ?? ''
  if (type !== 'text' && !isDayFirst) return text.replace(/T(.{8}).*/, ' $1')
  if (type === 'month') return text.replace(/^(\d{4})-(\d\d)$/, '$2.$1')
  if (type !== 'text') return text.replace(/^(\d{4})-(\d\d)-(\d\d)(?:T(.{8}).*)?$/, dayFirst)
  const safe = MONTH.test(text) ? text + yearWord : FORMULA.test(text) ? `'${text}` : text
  return /[";,\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function dayFirst(_: string, year: string, month: string, day: string, time?: string): string {
  return `${day}.${month}.${year}${time === undefined ? '' : ` ${time}`}`
}

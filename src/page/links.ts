/** Links: from a row to the report behind it. */
import type { Dates } from './api.ts'
import type { Row } from './format.ts'
import { hrefOf } from './state.ts'

/**
 * @param link a template such as `/reports/invoices?customer={customer_id}&from={from}&to={to}`
 * @returns an address of the page; undefined for a row without one of the values
 */
export function hrefOfRow(link: string, row: Row, dates: Dates): string | undefined {
  let isWhole = true
  const expanded = link.replaceAll(
    /\{(\w+)(?:\.(from|to))?\}/g,
    (_, name: string, end?: string) => {
      const value = name === 'from' || name === 'to' ? dates[name] : row[name]
      isWhole &&= (value ?? null) !== null
      const text = end === undefined ? String(value) : endOf(String(value), end)
      return encodeURIComponent(text)
    },
  )
  if (!isWhole) return undefined
  const [path = '', query] = expanded.split('?')
  const { from, to, ...values } = Object.fromEntries(new URLSearchParams(query))
  return hrefOf({ report: path.replace('/reports/', ''), from, to, values })
}

/** The first or the last day of a month. */
function endOf(month: string, end: string): string {
  if (end === 'from') return `${month}-01`
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, number, 0)).toISOString().slice(0, 10)
}

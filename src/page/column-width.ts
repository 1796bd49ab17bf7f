/** The width of a column from its title and its values, so that it does not change while rows scroll. */
import type { TableColumn } from './api.ts'
import { formatValue, isNumberType } from './format.ts'
import type { Row } from './read-rows.ts'

const MAX_PIXELS = 320
const MIN_PIXELS = 72
/** Both sides of a cell, and the arrow of the sorted column. */
const PADDING = 40

let context: CanvasRenderingContext2D | null | undefined

function textWidth(text: string): number {
  context ??= document.createElement('canvas').getContext('2d')
  if (context === null) return text.length * 8
  const { fontFamily } = getComputedStyle(document.body)
  context.font = `600 14px ${fontFamily}`
  return context.measureText(text).width
}

/** Pixels. */
export function columnWidth(
  { key, title, type }: TableColumn,
  rows: readonly Row[],
  isCompared: boolean,
): number {
  const values = rows.map(row => row[key] ?? null)
  const longestValue = isNumberType(type)
    ? longestNumber(values as (number | null)[], type)
    : longestText(values.map(String), type)
  // why: in smaller letters, so that the compared value may be longer
  const isMeasure = isCompared && rows.some(row => row[`${key}_compared`] !== undefined)
  const longest = isMeasure ? `${longestValue} · +99,9 %` : longestValue
  // why: titles wrap, words do not
  const words = [title.slice(0, Math.ceil(title.length / 2)), ...title.split(' '), longest]
  const widest = Math.max(...words.map(text => textWidth(text.slice(0, 100))))
  return Math.ceil(Math.min(MAX_PIXELS, Math.max(MIN_PIXELS, widest + PADDING)))
}

function longestNumber(values: readonly (number | null)[], type: TableColumn['type']): string {
  let [min, max, sum] = [0, 0, 0]
  for (const value of values) {
    if (value === null) continue
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
  }
  // why: totals are in the same column
  const all = type === 'percent' ? [min, max] : [min, max, sum]
  return all.map(value => formatValue(value, type)).reduce((a, b) => (b.length > a.length ? b : a))
}

function longestText(values: readonly string[], type: TableColumn['type']): string {
  if (type === 'month') return formatValue('2026-09', type)
  const longest = values.reduce((a, b) => (b.length > a.length ? b : a), '')
  return formatValue(longest, type)
}

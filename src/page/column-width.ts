/** Widths of columns: on the screen whole columns up to the edge, on paper all of them. */
import type { TableColumn } from './api.ts'
import { isNumberType } from './format.ts'

/** The first column stays while others scroll, which need space. */
const MAX_FIRST_PART = 0.42
/** Both sides of a cell. */
const PADDING = 22
/** Pixels between the margins of A4, as in the style sheet. */
const PAPER = { portrait: 703, landscape: 1031 }
const SCREEN_SIZE = 14
const LARGEST = 10
/** Smaller letters than these turn the paper. */
const SMALLEST_UPRIGHT = 8.5
const SMALLEST = 6.5
/** Text wraps on paper. */
const MAX_TEXT = 130

/** Before they are fixed: as the browser lays them out. */
export function naturalWidths(table: HTMLTableElement): readonly number[] {
  const heads = [...table.tHead!.rows[0]!.cells]
  return heads.map(head => Math.ceil(head.getBoundingClientRect().width))
}

/**
 * Fixes the widths, so that they do not change while rows are sought. If the table is wider than its frame, the columns
 * that fit fill it: no figure is cut at its edge.
 */
export function fitColumns(
  table: HTMLTableElement,
  natural: readonly number[],
  frame: number,
): void {
  const widths = [...natural]
  const limit = Math.floor(frame * MAX_FIRST_PART)
  if (widths.reduce(sum) > frame) {
    const [label = 0, main = 0] = widths
    widths[0] = Math.max(Math.min(label, limit), Math.min(label, frame - main))
    if (label + main > frame) widths[0] = Math.max(limit / 2, frame - main)
  }
  let [count, used] = [0, 0]
  while (count < widths.length && used + widths[count]! <= frame) used += widths[count++]!
  for (let at = 0; at < count; at += 1) widths[at]! += (frame - used) / count
  for (const [at, column] of [...table.querySelectorAll('col')].entries())
    column.style.width = `${widths[at]}px`
  table.style.width = `${widths.reduce(sum)}px`
  table.classList.add('fitted')
}

/** Chooses the orientation of the paper and the size of letters, as «fit to width» does. */
export function fitPaper(natural: readonly number[], columns: readonly TableColumn[]): void {
  const contents = natural.map((width, at) => {
    const content = width - PADDING
    return isNumberType(columns[at]!.type) ? content : Math.min(content, MAX_TEXT)
  })
  const sizeFor = (paper: number): number =>
    ((paper - contents.length * 8) / contents.reduce(sum)) * SCREEN_SIZE
  const isUpright = sizeFor(PAPER.portrait) >= SMALLEST_UPRIGHT
  const size = sizeFor(isUpright ? PAPER.portrait : PAPER.landscape)
  const { classList, style } = document.documentElement
  classList.toggle('landscape', !isUpright)
  style.setProperty('--paper-size', `${Math.max(SMALLEST, Math.min(LARGEST, size))}px`)
}

function sum(total: number, width: number): number {
  return total + width
}

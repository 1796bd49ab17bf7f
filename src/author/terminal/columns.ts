/** Cells in aligned columns: how wide each is, and a line of them. Knows nothing of what they say. */
import { filled, textWidth, type Side } from './text-width.ts'

const GAP = '  '

/** The widest cell of each column. */
export function columnWidths(rows: ReadonlyArray<readonly string[]>): number[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, textWidth(cell))))
  }
  return widths
}

/** A cell that is wider than its column shifts those behind it. Nothing is left at the line's end. */
export function alignedLine(
  cells: readonly string[],
  widths: readonly number[],
  sides: readonly Side[] = [],
): string {
  const all = cells.map((cell, at) => filled(cell, widths[at] ?? 0, sides[at] ?? 'left'))
  return all.join(GAP).trimEnd()
}

/** A line for each row. */
export function aligned(
  rows: ReadonlyArray<readonly string[]>,
  sides: readonly Side[] = [],
): string[] {
  const widths = columnWidths(rows)
  return rows.map(row => alignedLine(row, widths, sides))
}

/**
 * Widths that fit a line together, as far as they may be narrowed: the widest column first.
 * @param leasts below which no column is narrowed
 * @param maxWidth of a line; undefined is any
 */
export function fitted(
  widths: readonly number[],
  leasts: readonly number[],
  maxWidth: number | undefined,
): number[] {
  const found = [...widths]
  if (maxWidth === undefined) return found
  const gaps = GAP.length * (found.length - 1)
  let excess = found.reduce((sum, width) => sum + width, gaps) - maxWidth
  for (; excess > 0; excess -= 1) {
    const narrowable = found.map((width, at) => (width > (leasts[at] ?? 0) ? width : 0))
    const widest = Math.max(...narrowable)
    if (widest === 0) break
    found[narrowable.indexOf(widest)] = widest - 1
  }
  return found
}

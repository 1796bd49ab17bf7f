/** How wide the columns of a table are, and how their titles stand above them. */
import { alignedLine, columnWidths, fitted } from './columns.ts'
import { shortened, textWidth, wrapped } from './text-width.ts'
import type { Column } from '../../model/terms.ts'

export interface TableLayout {
  readonly widths: readonly number[]
  /** The titles, a line or more. */
  readonly titleLines: ReadonlyArray<readonly string[]>
  /** With its end of line. */
  readonly rule: string
}

/** Less of a text tells nothing. */
const LEAST_TEXT_WIDTH = 8

/**
 * Where a line is too wide, titles are wrapped first, then texts are to be shortened, the widest first;
 * figures and dates never are.
 * @param rows of cells
 * @param room that columns need at least, for what is not among the rows
 * @param maxWidth of a line; undefined is any
 */
export function layOutTable(
  columns: readonly Column[],
  rows: ReadonlyArray<readonly string[]>,
  room: readonly number[],
  maxWidth: number | undefined,
): TableLayout {
  const content = columnWidths([columns.map(() => ''), ...rows]).map((width, at) =>
    Math.max(width, room[at] ?? 0),
  )
  const whole = columns.map(({ title }, at) => Math.max(textWidth(title), content[at] ?? 0))
  const wrappable = columns.map((column, at) => Math.max(longestWord(column), content[at] ?? 0))
  const leasts = columns.map((column, at) =>
    column.type === 'text' ? LEAST_TEXT_WIDTH : (wrappable[at] ?? 0),
  )
  const widths = fitted(fitted(whole, wrappable, maxWidth), leasts, maxWidth)
  return {
    widths,
    titleLines: titleLines(columns, widths),
    rule: `${alignedLine(
      widths.map(width => '─'.repeat(width)),
      widths,
    )}\n`,
  }
}

/** The last lines of all titles stand on one line. */
function titleLines(columns: readonly Column[], widths: readonly number[]): string[][] {
  const titles = columns.map(({ title }, at) => {
    const width = widths[at] ?? 0
    return textWidth(title) <= width ? [title] : wrapped(title, width)
  })
  const count = Math.max(...titles.map(({ length }) => length))
  return Array.from({ length: count }, (_, line) =>
    titles.map((title, at) => shortened(title[line - count + title.length] ?? '', widths[at] ?? 0)),
  )
}

function longestWord({ title }: Column): number {
  return Math.max(...title.split(' ').map(word => textWidth(word)))
}

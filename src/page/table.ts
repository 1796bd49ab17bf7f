/** A table of which only the visible rows exist, so that ten thousand scroll smoothly. All exist while it is printed. */
import type { TableColumn } from './api.ts'
import { h } from './dom.ts'
import { comparisonText } from './comparison.ts'
import { formatValue, isNumberType } from './format.ts'
import type { CellValue } from './format.ts'
import type { Row } from './read-rows.ts'
import { columnWidth } from './column-width.ts'
import { TEXTS } from './texts.ts'

/** Pixels, as in the style sheet; of rows with a comparison, which have two lines. */
const ROW_HEIGHT = 36
const COMPARED_HEIGHT = 54
/** Rows beyond the visible ones, on each side. */
const MARGIN = 15
/** The first column stays while others scroll, which need space. */
const MAX_FIRST_PART = 0.38
const NOTHING = { from: 0, to: -1 }
export const MAX_PRINTED = 2000

interface Table {
  readonly element: HTMLElement
  /** Shows other rows in the same columns. */
  update(rows: readonly Row[], totals: Row | undefined, sort: string | undefined): void
}

export interface CellLink {
  readonly key: string
  readonly linkOf: (text: string, row: Row) => HTMLElement
}

export function createTable(options: {
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly Row[]
  readonly onSort: (sort: string | undefined) => void
  readonly isSortable: boolean
  /** Whether rows have the columns of a comparison, which are shown beneath those that they belong to. */
  readonly isCompared: boolean
  /** The column whose cells are links. */
  readonly cellLink: CellLink | undefined
  readonly signal: AbortSignal
}): Table {
  const { title, columns, onSort, isSortable, isCompared, cellLink, signal } = options
  const rowHeight = isCompared ? COMPARED_HEIGHT : ROW_HEIGHT
  let rows: readonly Row[] = []
  let sort: string | undefined
  let drawn = NOTHING
  /** Of the rows in the document, by index. */
  const elements = new Map<number, HTMLElement>()
  const [above, below] = [spacer(), spacer()]

  const buttons = columns.map(({ key, title: name }) =>
    h(
      'button',
      {
        type: 'button',
        disabled: !isSortable,
        onclick: () => onSort(nextSort(key)),
        title: `${TEXTS.sort}: ${name}`,
      },
      name,
    ),
  )
  const widths = columns.map((column, at) => {
    const width = columnWidth(column, options.rows, isCompared)
    return at === 0 ? Math.min(width, innerWidth * MAX_FIRST_PART) : width
  })
  const heads = columns.map((column, at) =>
    h('th', { scope: 'col', className: classOf(column) }, buttons[at]),
  )
  const columnElements = widths.map(width => {
    const element = h('col')
    element.style.width = `${width}px`
    return element
  })
  const body = h('tbody')
  const foot = h('tfoot')
  const table = h(
    'table',
    {},
    h('caption', { className: 'unseen' }, title),
    h('colgroup', {}, ...columnElements),
    h('thead', {}, h('tr', {}, ...heads)),
    body,
    foot,
  )
  table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}px`
  const element = h(
    'div',
    {
      className: isCompared ? 'table compared' : 'table',
      tabIndex: 0,
      aria: { role: 'region', label: title },
    },
    table,
  )

  function nextSort(key: string): string | undefined {
    const isDescendingFirst = isNumberType(columns.find(column => column.key === key)!.type)
    const order = isDescendingFirst ? [`-${key}`, key] : [key, `-${key}`]
    return order[order.indexOf(sort ?? '') + 1]
  }

  function rowElement(row: Row, at: number): HTMLElement {
    const cells = columns.map((column, index) => {
      const value = row[column.key] ?? null
      const text = formatValue(value, column.type)
      const isLink = value !== null && column.key === cellLink?.key
      const content = isLink ? cellLink.linkOf(text, row) : text
      return withComparison(cell(column, index, value, content), column, row)
    })
    return h('tr', { aria: { rowindex: String(at + 2) } }, ...cells)
  }

  function totalsElement(totals: Row): HTMLElement {
    const cells = columns.map((column, index) => {
      const value = totals[column.key] ?? null
      const text = value === null ? '' : formatValue(value, column.type)
      return withComparison(cell(column, index, value, text), column, totals)
    })
    return h('tr', { aria: { rowindex: String(rows.length + 2) } }, ...cells)
  }

  function withComparison(element: HTMLElement, { key, type }: TableColumn, row: Row): HTMLElement {
    const compared = row[`${key}_compared`]
    // why: a column without totals has neither
    if (isCompared && compared !== undefined && (compared ?? row[key] ?? null) !== null)
      element.append(h('small', {}, comparisonText(row, key, type)))
    return element
  }

  /** Leaves the rows that are in the document already. */
  function drawRows(from: number, to: number): void {
    const end = Math.min(to, rows.length)
    for (const [at, element] of elements) {
      if (at >= from && at < end) continue
      element.remove()
      elements.delete(at)
    }
    let previous: HTMLElement = above
    for (let at = from; at < end; at += 1) {
      const element = elements.get(at) ?? rowElement(rows[at]!, at)
      if (!elements.has(at)) previous.after(element)
      elements.set(at, element)
      previous = element
    }
    setHeight(above, from * rowHeight)
    setHeight(below, (rows.length - end) * rowHeight)
    drawn = { from, to }
  }

  function draw(): void {
    const top = Math.floor(element.scrollTop / rowHeight)
    const bottom = Math.min(rows.length, top + Math.ceil(element.clientHeight / rowHeight))
    if (drawn.from <= top && bottom <= drawn.to) return
    drawRows(Math.max(0, top - MARGIN), bottom + MARGIN)
  }

  function redraw(): void {
    drawn = NOTHING
    elements.clear()
    body.replaceChildren(above, below)
    draw()
  }

  element.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(redraw).observe(element)
  addEventListener('beforeprint', () => drawRows(0, Math.min(rows.length, MAX_PRINTED)), { signal })
  addEventListener('afterprint', redraw, { signal })

  return {
    element,
    update(newRows, totals, newSort) {
      rows = newRows
      sort = newSort
      table.setAttribute('aria-rowcount', String(rows.length + 1 + (totals === undefined ? 0 : 1)))
      for (const [at, { key }] of columns.entries()) {
        const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none'
        heads[at]!.setAttribute('aria-sort', direction)
      }
      foot.replaceChildren(...(totals === undefined ? [] : [totalsElement(totals)]))
      redraw()
    },
  }
}

function classOf({ type }: TableColumn, value: CellValue = null): string {
  if (!isNumberType(type)) return ''
  if (typeof value !== 'number' || value > 0) return 'number'
  return value < 0 ? 'number negative' : 'number zero'
}

/** The first cell of a row is its heading. */
function cell(
  column: TableColumn,
  index: number,
  value: CellValue,
  content: string | HTMLElement,
): HTMLElement {
  const text = typeof content === 'string' ? content : content.textContent
  const properties = { className: classOf(column, value), title: text.length > 20 ? text : '' }
  return index === 0
    ? h('th', { ...properties, scope: 'row' }, content)
    : h('td', properties, content)
}

/** Takes the height of rows that are not in the document. */
function spacer(): HTMLElement {
  return h('tr', { className: 'spacer', aria: { hidden: 'true' } })
}

function setHeight(element: HTMLElement, pixels: number): void {
  element.hidden = pixels === 0
  element.style.height = `${pixels}px`
}

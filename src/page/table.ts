/** A table: sorting, totals, a comparison beneath values, and the widths that let whole columns be seen. */
import type { TableColumn } from './api.ts'
import { comparisonText } from './comparison.ts'
import { h } from './dom.ts'
import { formatValue, isNumberType, newsClass, typeIn, type Row } from './format.ts'
import type { CellValue } from './format.ts'
import { fitColumns, fitPaper, naturalWidths } from './column-width.ts'
import { TEXTS } from './texts.ts'

interface Table {
  readonly element: HTMLElement
  /** Shows other rows in the same columns. */
  update(rows: readonly Row[], totals: Row | undefined, sort: string | undefined): void
}

export function createTable(options: {
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly onSort: (sort: string | undefined) => void
  readonly isSortable: boolean
  /** Whether rows have the columns of a comparison, which are shown beneath those that they belong to. */
  readonly isCompared: boolean
  /** Where a cell of a column with a link leads to; undefined if to nothing. */
  readonly hrefOf: (link: string, row: Row) => string | undefined
  readonly signal: AbortSignal
}): Table {
  const { title, columns, onSort, isSortable, isCompared, hrefOf, signal } = options
  let sort: string | undefined
  let widths: readonly number[] | undefined
  /** why: thousands of cells take longer to make than to move */
  const elements = new Map<Row, HTMLElement>()

  const heads = columns.map(column => {
    const button = h(
      'button',
      {
        type: 'button',
        disabled: !isSortable,
        onclick: () => onSort(nextSort(column)),
        title: `${TEXTS.sort}: ${column.title}`,
      },
      column.title,
    )
    return h('th', { scope: 'col', className: classOf(column) }, button)
  })
  const body = h('tbody')
  const foot = h('tfoot')
  const table = h(
    'table',
    {},
    h('caption', { className: 'unseen' }, title),
    h('colgroup', {}, ...columns.map(() => h('col'))),
    h('thead', {}, h('tr', {}, ...heads)),
    body,
    foot,
  )
  const scroller = h(
    'div',
    { className: 'table', tabIndex: 0, aria: { role: 'region', label: title } },
    table,
  )
  const element = h('div', { className: isCompared ? 'frame compared' : 'frame' }, scroller)

  function nextSort({ key, type }: TableColumn): string | undefined {
    const order = type === 'text' || type === 'month' ? [key, `-${key}`] : [`-${key}`, key]
    return order[order.indexOf(sort ?? '') + 1]
  }

  /** @param codes the row with the currencies; of totals another one, since a label may be in their place */
  function rowElement(row: Row, codes = row): HTMLElement {
    const isTotal = codes !== row
    const cells = columns.map((column, index) => {
      const value = row[column.key] ?? null
      const isEmpty = isTotal && value === null
      const text = isEmpty ? '' : formatValue(value, typeIn(column, codes), column.decimals)
      const { link } = column
      const href = link === undefined || isTotal ? undefined : hrefOf(link, row)
      return cell(column, index, row, codes, href === undefined ? text : h('a', { href }, text))
    })
    return h('tr', {}, ...cells)
  }

  /** The first cell of a row is its heading. */
  function cell(
    column: TableColumn,
    index: number,
    row: Row,
    codes: Row,
    content: string | HTMLElement,
  ): HTMLElement {
    const value = row[column.key] ?? null
    const text = typeof content === 'string' ? content : content.textContent
    const properties = { className: classOf(column, value), title: text.length > 20 ? text : '' }
    const { key, type } = column.month ?? column
    const compared = row[`${key}_compared`]
    // why: a column without totals has neither, and totals are of no month
    const figure = compared ?? (isNumberType(type) ? value : null)
    const hasBoth = isCompared && compared !== undefined && figure !== null
    const beneath = hasBoth
      ? h('small', {}, comparisonText(row, key, typeIn(column.month ?? column, codes)))
      : undefined
    return index === 0
      ? h('th', { ...properties, scope: 'row' }, content, beneath)
      : h('td', properties, content, beneath)
  }

  /** Shadows at the edges beyond which the table goes on. */
  function shade(): void {
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = scroller
    element.classList.toggle('goes-left', scrollLeft > 1)
    element.classList.toggle('goes-right', scrollLeft + clientWidth < scrollWidth - 1)
    element.classList.toggle('goes-down', scrollTop + clientHeight < scrollHeight - 1)
  }

  function fit(): void {
    if (scroller.clientWidth === 0) return
    widths ??= naturalWidths(table)
    fitColumns(table, widths, scroller.clientWidth)
    shade()
  }

  scroller.addEventListener('scroll', shade, { passive: true })
  const observer = new ResizeObserver(fit)
  observer.observe(scroller)
  signal.addEventListener('abort', () => observer.disconnect(), { once: true })
  addEventListener('beforeprint', () => fitPaper(widths ?? naturalWidths(table), columns), {
    signal,
  })

  return {
    element,
    update(rows, totals, newSort) {
      sort = newSort
      for (const [at, { key }] of columns.entries()) {
        const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none'
        heads[at]!.setAttribute('aria-sort', direction)
      }
      for (const row of rows) if (!elements.has(row)) elements.set(row, rowElement(row))
      body.replaceChildren(...rows.map(row => elements.get(row)!))
      foot.replaceChildren(...(totals === undefined ? [] : [rowElement(totals, rows[0] ?? {})]))
      shade()
    },
  }
}

function classOf({ key, type }: TableColumn, value: CellValue = null): string {
  if (!isNumberType(type)) return type === 'text' ? '' : 'time'
  return value === 0 ? 'number zero' : `number ${newsClass(key, value)}`
}

/** The table of a report with its filter, sorting and totals. */
import type { ReportDescription, TableColumn } from './api.ts'
import { h, link } from './dom.ts'
import { formatCount, formatPeriod, formatValue } from './format.ts'
import type { Page } from './page.ts'
import { MAX_ROWS } from './read-rows.ts'
import type { ReportRows, Row } from './read-rows.ts'
import { findRows, sortRows, sumRows } from './rows.ts'
import { normalize } from './search.ts'
import { hrefOf } from './state.ts'
import type { PageState } from './state.ts'
import { createTable, MAX_PRINTED } from './table.ts'
import type { CellLink } from './table.ts'
import { TEXTS } from './texts.ts'

/** A cell that leads, by INN or else by name, to the documents behind it: report and column to the report that lists them. */
const DOCUMENTS: Readonly<Record<string, { readonly key: string; readonly report: string }>> = {
  receivables: { key: 'counterparty', report: 'debts' },
  payables: { key: 'counterparty', report: 'debts' },
}

export function reportTable(options: {
  readonly schema: ReportDescription
  readonly rows: ReportRows
  readonly state: () => PageState
  readonly change: (part: Partial<PageState>) => void
  readonly page: Page
  readonly signal: AbortSignal
}): HTMLElement {
  const { schema, rows, state, change, page, signal } = options
  const columns = columnsToShow(schema, rows.rows)
  const { compare, period } = rows.end ?? {}
  const compared = compare?.period
  if (rows.rowCount === 0) return h('p', { className: 'empty' }, TEXTS.noRows)
  // why: the first rows of many are no basis for an order or a search
  const isWhole = rows.rowCount <= MAX_ROWS
  const table = createTable({
    title: schema.title,
    columns,
    rows: rows.rows,
    onSort: sort => {
      change({ sort })
      draw()
    },
    isSortable: isWhole,
    isCompared: compared !== undefined,
    cellLink: linkToDocuments(schema, state, page),
    signal,
  })
  const count = h('span', { className: 'muted', aria: { role: 'status' } })
  const input = h('input', {
    type: 'search',
    placeholder: TEXTS.find,
    aria: { label: TEXTS.find },
    value: state().find ?? '',
    hidden: !isWhole,
    oninput: () => {
      change({ find: input.value })
      draw()
    },
  })

  function draw(): void {
    const { sort, find = '' } = state()
    const found = isWhole ? findRows(rows.rows, columns, find) : rows.rows
    const isAll = found.length === rows.rows.length
    const totals = isAll ? rows.end?.totals : sumRows(found, columns, TEXTS.total)
    table.update(isWhole ? sortRows(found, columns, sort) : found, totals, sort)
    const number = isAll ? rows.rowCount : found.length
    count.textContent = `${isAll ? TEXTS.rows : TEXTS.rowsFound}: ${formatCount(number)}`
  }

  draw()
  return h(
    'div',
    { className: rows.rows.length > MAX_PRINTED ? 'rows many' : 'rows' },
    h('div', { className: 'heading' }, count, input),
    compared === undefined
      ? undefined
      : h(
          'p',
          { className: 'small beneath' },
          `${formatPeriod(period!)}; ${TEXTS.beneathValues} ${formatPeriod(compared)}`,
        ),
    table.element,
    h('p', { className: 'printed too-many' }, TEXTS.tooManyToPrint),
  )
}

/** Without a month that only repeats the label: on a phone it would take the place of the figures. */
function columnsToShow({ columns }: ReportDescription, rows: readonly Row[]): TableColumn[] {
  const label = columns.find(({ role }) => role === 'label')
  const repeatsLabel = ({ key }: TableColumn, row: Row): boolean =>
    normalize(formatValue(row[key], 'month')) === normalize(String(row[label!.key]))
  return columns.filter(
    column =>
      label === undefined ||
      column.type !== 'month' ||
      !rows.every(row => repeatsLabel(column, row)),
  )
}

function linkToDocuments(
  { code }: ReportDescription,
  state: () => PageState,
  page: Page,
): CellLink | undefined {
  const documents = Object.hasOwn(DOCUMENTS, code) ? DOCUMENTS[code] : undefined
  if (documents === undefined) return undefined
  return {
    key: documents.key,
    linkOf(text, { inn }) {
      const { from, to } = state()
      const href = hrefOf({ report: documents.report, from, to, find: String(inn ?? '') || text })
      return link(href, to => page.go(to), {}, text)
    },
  }
}

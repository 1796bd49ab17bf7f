/** The table of a report with its filter, sorting and totals. */
import type { ReportDescription } from './api.ts'
import { h, link } from './dom.ts'
import { formatCount } from './format.ts'
import type { Page } from './page.ts'
import { MAX_ROWS } from './read-rows.ts'
import type { ReportRows } from './read-rows.ts'
import { findRows, sortRows, sumRows } from './rows.ts'
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
  readonly compare: string | undefined
  readonly state: () => PageState
  readonly change: (part: Partial<PageState>) => void
  readonly page: Page
  readonly signal: AbortSignal
}): HTMLElement {
  const { schema, rows, compare, state, change, page, signal } = options
  const { columns } = schema
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
    isCompared: compare !== undefined,
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
    compare === undefined
      ? undefined
      : h('p', { className: 'small beneath' }, TEXTS.beneathValues[compare]),
    table.element,
    h('p', { className: 'printed too-many' }, TEXTS.tooManyToPrint),
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

/** The paths of the API for those who program, and the columns of a report. */
import { requestJson, urlOf } from './api.ts'
import type { ListedReport, ReportDescription, TableColumn } from './api.ts'
import { h } from './dom.ts'
import { formatCount } from './format.ts'
import type { Page } from './page.ts'
import { loadInto } from './problem.ts'
import { hrefOf } from './state.ts'
import { TEXTS } from './texts.ts'

export function reference({ signal }: Page): HTMLElement[] {
  const content = h('div', {}, h('p', { className: 'muted' }, TEXTS.loading))

  async function load(): Promise<void> {
    const { reports } = await requestJson<{ reports: ListedReport[] }>('/reports', signal)
    const common = Object.entries(TEXTS.paths).map(([path, text]) => [h('code', {}, path), text!])
    const ofReports = reports.map(({ code: report, title }) => {
      const path = h('code', {}, `/reports/${report}?from&to`)
      return [h('a', { href: hrefOf({ report }) }, path), title]
    })
    content.replaceChildren(
      h('pre', { tabIndex: 0 }, `curl -H 'X-Api-Key: ...' '${urlOf('/reports')}'`),
      h('p', {}, TEXTS.beneath),
      tableOf([...common, ...ofReports]),
    )
  }

  loadInto(content, load, signal)
  return [h('section', { className: 'reference' }, h('h1', {}, TEXTS.reference), content)]
}

/** Columns, key, formats and limits. */
export function columnsOf({ columns, key, formats, limits }: ReportDescription): HTMLElement {
  const rows = columns.map(column => [
    column.title,
    h('code', {}, column.key),
    column.type,
    unitOf(column.unit),
  ])
  const head = [TEXTS.column, TEXTS.columnKey, TEXTS.columnType, TEXTS.columnUnit]
  return h(
    'div',
    {},
    tableOf(rows, head),
    h('p', {}, `${TEXTS.rowKey}: `, h('code', {}, key.join(', '))),
    h('p', {}, `${TEXTS.maxRows}: ${formatCount(limits.maxRows)}`),
    h('p', {}, `${TEXTS.formats}: ${formats.map(({ format }) => format).join(', ')}`),
  )
}

type Cell = string | HTMLElement

function tableOf(rows: readonly (readonly Cell[])[], head?: readonly string[]): HTMLElement {
  return h(
    'div',
    { className: 'wide', tabIndex: 0 },
    h(
      'table',
      { className: 'plain' },
      head && h('thead', {}, h('tr', {}, ...head.map(text => h('th', { scope: 'col' }, text)))),
      h(
        'tbody',
        {},
        ...rows.map(cells => h('tr', {}, ...cells.map(content => h('td', {}, content)))),
      ),
    ),
  )
}

function unitOf(unit: TableColumn['unit']): string {
  if (unit === null) return ''
  return typeof unit === 'string' ? unit : `→ ${unit.column}`
}

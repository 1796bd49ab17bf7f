/** Downloads a report as a file, by a request with the key in its header. */
import { queryString, request, type Dates } from './api.ts'
import { offline } from './api-problem.ts'
import type { ReportDescription } from './api.ts'
import { h } from './dom.ts'
import { organizationName } from './organization.ts'
import type { Page } from './page.ts'
import { problemOf } from './problem.ts'
import type { Drawn } from './report-table.ts'
import { shownCsv } from './shown-rows.ts'
import { TEXTS } from './texts.ts'

const SMALL = { className: 'small muted' }
const EXCEL_CSV = 'CSV, Excel'
const NAMES: Readonly<Record<string, string>> = {
  xlsx: 'Excel (XLSX)',
  'csv?preset=excel': EXCEL_CSV,
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
}

/** Parameters of the report that is shown. */
export interface Shown extends Dates {
  /** Of a report whose figures are those of one day. */
  readonly day: string | undefined
  readonly compare: string | undefined
  /** Of the report's parameters. */
  readonly values: Readonly<Record<string, string>>
  /** The values in words; empty without any. */
  readonly selection: string
  readonly sort: string | undefined
  readonly find: string | undefined
  /** Undefined if there are too many rows for a filter. */
  readonly drawn: Drawn | undefined
}

export function downloads(
  { code, title, columns, formats }: ReportDescription,
  shown: () => Shown,
  { signal }: Page,
): HTMLElement {
  const message = h('div', { className: 'message', aria: { role: 'status' } })
  const buttons = Object.entries(NAMES).flatMap(([format, name]) => {
    if (!formats.some(offered => offered.format === format)) return []
    return [h('button', { type: 'button', onclick: () => void start(format) }, name)]
  })
  const summary = h('summary', {}, TEXTS.download)
  const ofScreen = [
    h('span', SMALL, TEXTS.shownRows),
    h('button', { type: 'button', onclick: saveShown }, EXCEL_CSV),
  ]
  const all = [h('span', SMALL, TEXTS.allRows), ...buttons, ...ofScreen]
  const choices = h('div', { className: 'choices' }, ...all)
  const menu = h('details', { className: 'menu' }, summary, choices)
  menu.addEventListener('toggle', () => {
    for (const element of ofScreen) element.hidden = shown().drawn === undefined
  })
  menu.addEventListener('keydown', event => {
    if (event.key === 'Escape') close()
  })

  function close(): void {
    menu.open = false
    summary.focus()
  }

  /** @param what distinguishes files of one report */
  function nameOf(what: string): string {
    const { from, to, day, compare, selection } = shown()
    const ofReport = `${title} ${day ?? `${from} — ${to}`}`
    const parts = [
      ofReport,
      selection.replaceAll(': ', ' '),
      compare && TEXTS.comparisons[compare],
      organizationName(),
      what,
    ]
    return parts.filter(Boolean).join(', ')
  }

  function saveShown(): void {
    close()
    const { rows, totals, filter } = shown().drawn!
    const blob = new Blob([shownCsv(columns, rows, totals)], { type: 'text/csv' })
    save(blob, `${nameOf(filter || TEXTS.shownRows)}.csv`)
  }

  async function start(format: string): Promise<void> {
    close()
    message.textContent = TEXTS.downloading
    const [extension = '', preset = ''] = format.split('?preset=')
    const { from, to, compare, values } = shown()
    const query = queryString({
      ...values,
      from,
      to,
      compare,
      preset: preset === '' ? undefined : preset,
    })
    const name = `${nameOf(preset && 'Excel')}.${extension}`
    try {
      const path = `/reports/${code}.${extension}${query}`
      // why: a browser has a large blob on its disk
      const response = await request(path, signal)
      const blob = await response.blob().catch((error: unknown) => {
        throw offline(error)
      })
      message.textContent = ''
      save(blob, name)
    } catch (error) {
      if (signal.aborted) return
      const { title: what, detail } = problemOf(error).fields
      message.textContent = `${what}. ${detail}`
    }
  }

  return h('div', { className: 'downloads' }, menu, message)
}

function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob)
  h('a', { href, download: name }).click()
  // why: the browser has read the file by then
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** Downloads a report as a file, by a request with the key in its header. */
import { queryString, request } from './api.ts'
import type { ReportDescription } from './api.ts'
import { h } from './dom.ts'
import { organizationName } from './organization.ts'
import type { Page } from './page.ts'
import type { Dates } from './periods.ts'
import { problemOf } from './problem.ts'
import type { Drawn } from './report-table.ts'
import { shownCsv } from './shown-rows.ts'
import { TEXTS } from './texts.ts'

/** Larger files are not held in the memory of a browser. */
const MAX_BYTES = 50 * 1024 * 1024

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
  readonly sort: string | undefined
  readonly find: string | undefined
  /** Undefined if there are too many rows for a filter. */
  readonly drawn: Drawn | undefined
}

/**
 * @param openScripts which load files of any size
 */
export function downloads(
  { code, title, columns, formats }: ReportDescription,
  shown: () => Shown,
  openScripts: (tool: string) => void,
  page: Page,
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
  const menu = h(
    'details',
    { className: 'menu' },
    summary,
    h('div', { className: 'choices' }, ...all),
  )
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

  const script = h(
    'button',
    { type: 'button', className: 'quiet', onclick: () => openScripts('curl') },
    TEXTS.copyAs,
  )
  const tooLarge = [TEXTS.tooLarge, script]

  /** @param what distinguishes files of one report */
  function nameOf(what: string): string {
    const { from, to, day, compare } = shown()
    const ofReport = `${title} ${day ?? `${from} — ${to}`}`
    const parts = [ofReport, compare && TEXTS.comparisons[compare], organizationName(), what]
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
    const { from, to, compare } = shown()
    const query = queryString({ from, to, compare, preset: preset === '' ? undefined : preset })
    const name = `${nameOf(preset && 'Excel')}.${extension}`
    try {
      const path = `/reports/${code}.${extension}${query}`
      const response = await request(path, page.signal)
      const blob = await blobOf(response)
      message.replaceChildren(...(blob === undefined ? tooLarge : []))
      if (blob !== undefined) save(blob, name)
    } catch (error) {
      if (page.signal.aborted) return
      const problem = problemOf(error)
      message.textContent = `${problem.message}. ${problem.detail}`
    }
  }

  return h('div', { className: 'downloads' }, menu, message)
}

/** Undefined if the file is too large. */
async function blobOf(response: Response): Promise<Blob | undefined> {
  const chunks: BlobPart[] = []
  let bytes = 0
  const reader = response.body!.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(chunks, { type: response.headers.get('Content-Type') ?? '' })
    bytes += value.length
    chunks.push(value)
    if (bytes > MAX_BYTES) {
      await reader.cancel()
      return undefined
    }
  }
}

function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob)
  h('a', { href, download: name }).click()
  // why: the browser has read the file by then
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** A report: its period, sentence, chart and table, and what one may do with them. */
import { queryString, request, requestJson } from './api.ts'
import type { ReportDescription } from './api.ts'
import { comparisonChoice } from './comparison.ts'
import { chooseChart, createChart } from './chart.ts'
import { columnsOf } from './reference.ts'
import { h, link } from './dom.ts'
import { downloads } from './downloads.ts'
import { formatCount, formatPeriod } from './format.ts'
import { dataTimeOf, freshness } from './freshness.ts'
import type { Page } from './page.ts'
import { periodPicker } from './period-picker.ts'
import type { Dates } from './periods.ts'
import { problemOf, problemView } from './problem.ts'
import { MAX_ROWS, readRows } from './read-rows.ts'
import type { ReportRows } from './read-rows.ts'
import { snippets } from './snippets.ts'
import { hrefOf } from './state.ts'
import type { PageState } from './state.ts'
import { TEXTS } from './texts.ts'
import { reportTable } from './report-table.ts'

/** What the API sent for one period. */
interface Loaded {
  readonly schema: ReportDescription
  readonly rows: ReportRows
  readonly dates: Dates
  readonly compare: string | undefined
  readonly response: Response
}

export function reportView(page: Page): HTMLElement[] {
  const code = page.state.report!
  let { state } = page
  let isShown = false
  let loading = new AbortController()
  let shown = new AbortController()
  const title = h('h1', {}, code)
  const basis = h('p', { className: 'muted' })
  const notice = h('div', { className: 'notice' })
  const content = h(
    'div',
    { className: 'content', aria: { busy: 'true' } },
    h('p', { className: 'muted' }, TEXTS.loading),
  )
  const given = { ...(state.from && { from: state.from }), ...(state.to && { to: state.to }) }
  const picker = periodPicker(given, go)
  // why: another period may be the remedy, if the first request fails
  const tools = h('div', { className: 'tools' }, picker.element)
  const refresh = h(
    'button',
    { type: 'button', className: 'quiet', onclick: () => load('no-cache') },
    TEXTS.refresh,
  )

  function change(part: Partial<PageState>): void {
    state = { ...state, ...part }
    page.replace(state)
  }

  /** To other rows of the report. */
  function go(part: Partial<PageState>): void {
    history.pushState(null, '', hrefOf({ ...state, ...part }))
    change(part)
    load()
  }

  /** Before the rows, which may take seconds. */
  function describe(schema: ReportDescription): ReportDescription {
    document.title = `${schema.title} — ${TEXTS.name}`
    title.textContent = schema.title
    const { description, dateBasis } = schema
    basis.replaceChildren(
      description ?? '',
      dateBasis === null ? '' : h('span', { className: 'basis' }, dateBasis.title),
    )
    return schema
  }

  async function fetchAll(signal: AbortSignal, cacheControl?: 'no-cache'): Promise<Loaded> {
    const { from, to } = state
    const path = `/reports/${encodeURIComponent(code)}`
    const described = requestJson<ReportDescription>(`${path}/schema`, signal)
    // why: the address may ask for a comparison that this report does not have
    const known = state.compare === undefined ? [] : (await described).compare
    const compare = known.find(kind => kind === state.compare)
    const query = queryString({ from, to, compare, end: 'true' })
    const [schema, response] = await Promise.all([
      described.then(describe),
      request(`${path}.ndjson${query}`, signal, cacheControl),
    ])
    const used = new URLSearchParams(response.headers.get('Content-Location')?.replace(/^.*\?/, ''))
    const dates = { from: used.get('from') ?? from ?? '', to: used.get('to') ?? to ?? '' }
    return { schema, rows: await readRows(response), dates, compare, response }
  }

  function load(cacheControl?: 'no-cache'): void {
    content.setAttribute('aria-busy', 'true')
    // why: the response of an earlier period may arrive later
    loading.abort()
    loading = new AbortController()
    const signal = AbortSignal.any([page.signal, loading.signal])
    fetchAll(signal, cacheControl).then(show, (error: unknown) => {
      if (signal.aborted) return
      const problem = problemOf(error)
      if (page.isOfAccount(problem)) return
      content.setAttribute('aria-busy', 'false')
      notice.replaceChildren(
        problemView(problem, () => load(), signal),
        isShown ? h('p', {}, TEXTS.shownStale) : '',
      )
      if (!isShown) content.replaceChildren()
    })
  }

  function show({ schema, rows, dates, compare, response }: Loaded): void {
    isShown = true
    shown.abort()
    shown = new AbortController()
    const signal = AbortSignal.any([page.signal, shown.signal])
    picker.set(dates)
    const script = snippets(schema, dates, page)
    tools.replaceChildren(
      picker.element,
      comparisonChoice(schema, compare, chosen => go({ compare: chosen })),
      downloads(schema, { ...dates, compare }, script.open, page),
      script.element,
      h('span', { className: 'spring' }, freshness(dataTimeOf(response), signal), refresh),
    )
    notice.replaceChildren(...noticesOf(rows))
    const isWhole = rows.rowCount <= MAX_ROWS
    const choice = isWhole ? chooseChart(schema.columns, schema.key) : undefined
    const chart = choice && createChart(choice, state.chart, key => change({ chart: key }), signal)
    const table = reportTable({ schema, rows, state: () => state, change, page, signal })
    content.replaceChildren(
      h('p', { className: 'printed' }, formatPeriod(dates)),
      h('p', { className: 'sentence' }, rows.end?.summary ?? ''),
      ...(chart === undefined ? [] : [chart.element]),
      table,
      h('details', { className: 'about' }, h('summary', {}, TEXTS.aboutReport), columnsOf(schema)),
    )
    chart?.update(rows.rows)
    content.setAttribute('aria-busy', 'false')
  }

  load()
  return [
    h(
      'section',
      { className: 'report' },
      link(
        hrefOf({ from: state.from, to: state.to }),
        href => page.go(href),
        { className: 'back' },
        `← ${TEXTS.back}`,
      ),
      title,
      basis,
      tools,
      notice,
      content,
    ),
  ]
}

function noticesOf({ rowCount, end }: ReportRows): HTMLElement[] {
  if (rowCount <= MAX_ROWS) return []
  const of =
    end === undefined ? `${TEXTS.moreThan} ${formatCount(rowCount)}` : formatCount(rowCount)
  const text = `${TEXTS.firstRows} ${formatCount(MAX_ROWS)} ${TEXTS.firstRowsOf} ${of}. ${TEXTS.firstRowsMore}`
  return [h('p', { className: 'hint', aria: { role: 'status' } }, text)]
}

/** A report: its period, sentence, chart and table, and what one may do with them. */
import { queryString, request, requestJson } from './api.ts'
import type { Dates, ReportDescription } from './api.ts'
import { TITLES } from './catalogue.ts'
import { comparisonChoice } from './comparison.ts'
import { columnsOf } from './reference.ts'
import { h } from './dom.ts'
import { downloads } from './downloads.ts'
import type { Shown } from './downloads.ts'
import { formatCount, formatPeriod, formatValue } from './format.ts'
import { dataTimeOf, freshness } from './freshness.ts'
import { organizationElement, setTitle } from './organization.ts'
import type { Page } from './page.ts'
import { parameterChoices, type ParameterChoices } from './parameters.ts'
import { periodPicker } from './period-picker.ts'
import { datesOf, stateDay } from './periods.ts'
import { problemOf, problemView } from './problem.ts'
import { readRows } from './read-rows.ts'
import type { ReportRows } from './read-rows.ts'
import { snippets } from './snippets.ts'
import { say } from './speech.ts'
import type { PageState } from './state.ts'
import { FORMATS, TEXTS } from './texts.ts'
import { newestOf, reportTable } from './report-table.ts'
import type { Drawn } from './report-table.ts'
import { formatInstant } from './zone.ts'

/** What the API sent for one period. */
interface Loaded {
  readonly schema: ReportDescription
  readonly rows: ReportRows
  readonly dates: Dates
  readonly compare: string | undefined
  readonly values: PageState['values']
  readonly response: Response
}

export function reportView(page: Page): HTMLElement[] {
  const code = page.state.report!
  let { state } = page
  let loaded: Loaded | undefined
  let loading = new AbortController()
  let shown = new AbortController()
  let drawn: Drawn | undefined
  const back = h('a', { className: 'back home' }, `← ${TEXTS.back}`)
  const title = h('h1', {}, TITLES.get(code) ?? code)
  const basis = h('p', { className: 'muted' })
  const notice = h('div', { className: 'notice' })
  const content = h(
    'div',
    { className: 'content', aria: { busy: 'true' } },
    h('p', { className: 'muted' }, TEXTS.loading),
  )
  const picker = periodPicker(datesOf(state), go)
  // why: another period may be the remedy, if the first request fails
  const tools = h('div', { className: 'tools' }, picker.element)
  const age = h('span')
  let choices: ParameterChoices | undefined
  let update: ((compare: string | undefined) => void) | undefined

  function change(part: Partial<PageState>): void {
    state = { ...state, ...part }
    page.replace(state)
  }

  /** To other rows of the report. */
  function go(part: Partial<PageState>): void {
    page.push({ ...state, ...part })
    change(part)
    load()
  }

  /** Before the rows, which may take seconds. */
  function describe(schema: ReportDescription): ReportDescription {
    setTitle(schema.title)
    title.replaceChildren(h('span', {}, schema.title))
    const { description, dateBasis } = schema
    basis.replaceChildren(
      h('span', {}, description),
      dateBasis === null
        ? ''
        : h('span', { className: 'basis' }, FORMATS.dateBases[dateBasis.code]),
    )
    if (isOfDay(schema)) picker.askForDay()
    choices ??= parameterChoices(schema, values => go({ values }), page.signal)
    update ??= equip(schema)
    return schema
  }

  function shownNow(): Shown {
    const { dates, compare, values, schema } = loaded!
    const { sort = newestOf(schema), find } = state
    const day = isOfDay(schema) ? stateDay(dates) : undefined
    const selection = choices!.words(values)
    return { ...dates, day, compare, values, selection, sort, find, drawn }
  }

  /** why: controls that are made anew with each period would lose the focus */
  function equip(schema: ReportDescription): (compare: string | undefined) => void {
    const comparison = comparisonChoice(schema, chosen => go({ compare: chosen }))
    const script = snippets(schema, shownNow, page)
    const files = downloads(schema, shownNow, page)
    const properties = { type: 'button', className: 'quiet' } as const
    const refresh = h('button', { ...properties, onclick: () => load('no-cache') }, TEXTS.refresh)
    const ofRows = [files, script, h('span', { className: 'spring' }, age, refresh)]
    tools.append(comparison, choices!.element, ...ofRows)
    for (const element of ofRows) element.hidden = true
    return compare => {
      comparison.value = compare ?? ''
      for (const element of ofRows) element.hidden = false
    }
  }

  async function fetchAll(signal: AbortSignal, cacheControl?: 'no-cache'): Promise<Loaded> {
    const path = `/reports/${encodeURIComponent(code)}`
    // why: the dates depend on what the report shows, and it may lack the comparison of the address
    const schema = describe(await requestJson<ReportDescription>(`${path}/schema`, signal))
    const compare = schema.compare.find(kind => kind === state.compare)
    const dates = datesOf(state, schema.dateBasis?.code)
    picker.set(dates)
    const { values } = state
    // why: if the request fails, another value may be the remedy
    choices!.set(values)
    const query = queryString({ ...values, ...dates, compare, end: 'true' })
    const response = await request(`${path}.ndjson${query}`, signal, cacheControl)
    const rows = await readRows(response, newestOf(schema))
    return { schema, rows, dates, compare, values, response }
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
      content.setAttribute('aria-busy', 'false')
      notice.replaceChildren(
        problemView(problem, () => load(), signal),
        loaded === undefined ? '' : h('p', {}, TEXTS.shownStale),
      )
      if (loaded === undefined) return content.replaceChildren()
      // why: they say what is shown
      picker.set(loaded.dates)
      update!(loaded.compare)
    })
  }

  function show(newlyLoaded: Loaded): void {
    loaded = newlyLoaded
    const { schema, rows, dates, compare, values, response } = loaded
    drawn = undefined
    shown.abort()
    shown = new AbortController()
    const signal = AbortSignal.any([page.signal, shown.signal])
    update!(compare)
    const { dataAsOf } = dataTimeOf(response)
    const asOf =
      dataAsOf === undefined ? '' : `; ${TEXTS.dataAsOf} ${formatInstant(dataAsOf, true)}`
    age.replaceChildren(freshness(dataTimeOf(response), signal))
    const period = rows.end?.period ?? dates
    const day = stateDay(period)
    const when = isOfDay(schema) ? `${TEXTS.day} ${formatValue(day, 'date')}` : formatPeriod(period)
    // why: the metrics end today, and the same figure here may differ
    const basisCode = schema.dateBasis?.code ?? ''
    const hasFuture = ['accrual', 'payment'].includes(basisCode) && day < period.to
    const selection = choices!.words(values)
    const ofValues = h('p', { className: 'printed', hidden: selection === '' })
    const sentence = h('p', { className: 'sentence' }, rows.end?.summary ?? '')
    const nameValues = async (): Promise<void> => {
      await choices!.ready
      const words = choices!.words(values)
      ofValues.replaceChildren(`${TEXTS.selection}: ${words}`)
      sentence.textContent = choices!.labelled(sentence.textContent, values)
      if (words !== selection && !signal.aborted) setTitle(`${schema.title}, ${words}`)
    }
    // why: the rows do not wait for the names of the values
    void nameValues()
    notice.replaceChildren()
    content.replaceChildren(
      h('p', { className: 'printed' }, `${when}${asOf}`),
      ofValues,
      sentence,
      hasFuture
        ? h('p', { className: 'small beneath' }, `${TEXTS.shown}: ${when}, ${TEXTS.withFuture}`)
        : '',
      ...reportTable({
        schema,
        rows,
        selection: () => choices!.words(values),
        dates,
        state: () => state,
        change,
        onDraw: newlyDrawn => (drawn = newlyDrawn),
        signal,
      }),
      h('details', { className: 'about' }, h('summary', {}, TEXTS.aboutReport), columnsOf(schema)),
    )
    content.setAttribute('aria-busy', 'false')
    say(
      schema.title,
      `, ${when}${selection && `, ${selection}`}. ${TEXTS.rows}: ${formatCount(rows.rowCount)}`,
    )
  }

  setTitle(title.textContent)
  load()
  const owner = h('p', { className: 'printed' }, organizationElement())
  return [h('section', { className: 'report' }, back, owner, title, basis, tools, notice, content)]
}

/** Whether its figures are those of one day, the end of the period. */
function isOfDay({ dateBasis, columns }: ReportDescription): boolean {
  const ofPeriod = columns.some(({ aggregation: { periods } }) =>
    ['first', 'sum'].includes(periods),
  )
  return dateBasis?.code === 'state' && !ofPeriod
}

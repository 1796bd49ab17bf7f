/** Figures of the business as cards. */
import { queryString, requestJson } from './api.ts'
import type { Dates, MetricValue } from './api.ts'
import { changeOf } from './comparison.ts'
import { h } from './dom.ts'
import { EMPTY, formatPeriod, formatValue, type Row } from './format.ts'
import type { Page } from './page.ts'
import { addMonths } from './months.ts'
import { periodPicker } from './period-picker.ts'
import { datesOf, PERIODS, presetOf } from './periods.ts'
import { loadInto, problemOf } from './problem.ts'
import { say } from './speech.ts'
import type { PageState } from './state.ts'
import { CARDS, shortfall, TEXTS } from './texts.ts'

/** Shown first; others follow in the order of the API. */
const MAIN = [...CARDS.keys()]
const rank = ({ code }: MetricValue): number =>
  MAIN.includes(code) ? MAIN.indexOf(code) : MAIN.length

/** As many as style.css shows. */
const MAIN_COUNT = 8

/** The body of `/metrics`. */
interface Values {
  readonly metrics: readonly MetricValue[]
  readonly period: Dates
  readonly compare?: { readonly period: Dates }
}

interface Body {
  readonly columns: ReadonlyArray<{ readonly key: string }>
  readonly rows: readonly Row[]
  readonly totals: Row
}

const COMPARISONS = ['year', 'previous'] as const

/** @param listed codes of reports @param onLoad for the search @param onPeriod for the address */
export function metricCards(
  page: Page,
  cardOf: (metric: MetricValue, ahead?: string) => HTMLElement,
  listed: () => Promise<ReadonlySet<string>>,
  onLoad: (metrics: readonly MetricValue[]) => void,
  onPeriod: (dates: Dates) => void,
): HTMLElement {
  const cards = h('dl', { className: 'cards' })
  const note = h('p', { className: 'small muted' })
  const place = h('div', {}, cards)
  const more = h(
    'button',
    { type: 'button', className: 'quiet', onclick: toggle, hidden: true },
    TEXTS.moreMetrics,
  )
  let dates: Pick<PageState, 'from' | 'to'> = page.state
  let loading = new AbortController()
  const picker = periodPicker(datesOf(dates), chosen => {
    dates = chosen
    onPeriod(chosen)
    start()
  })

  const section = h(
    'section',
    {},
    h('div', { className: 'heading' }, h('h1', {}, TEXTS.metrics), picker.element),
    place,
    more,
  )

  function toggle(): void {
    more.textContent = cards.classList.toggle('all') ? TEXTS.fewerMetrics : TEXTS.moreMetrics
  }

  async function load(signal: AbortSignal): Promise<void> {
    const wanted = datesOf(dates)
    const values = (compare?: string): Promise<Values> =>
      requestJson(`/metrics${queryString({ ...wanted, compare })}`, signal)
    // why: a comparison ends today, so values of the whole period would not be those that are compared
    const shown = await values(COMPARISONS[0]).catch((error: unknown) => {
      if (problemOf(error).fields.code === 'bad_request') return values()
      throw error
    })
    const reports = await listed()
    const ordered = shown.metrics.toSorted((a, b) => rank(a) - rank(b))
    const elements = new Map(ordered.map(metric => [metric.code, cardOf(metric)]))
    if (ordered.length === 0) {
      // why: a key that may read none has no figures; a page has a heading
      section.replaceChildren(h('h1', { className: 'unseen' }, TEXTS.reports))
      return
    }
    cards.replaceChildren(...elements.values())
    more.hidden = ordered.length <= MAIN_COUNT
    const isEmpty = ordered.every(({ value }) => value === null || value === 0)
    const isShorter = shown.period.to < wanted.to
    const without = isShorter ? `, ${TEXTS.withoutFuture}` : ''
    note.replaceChildren(`${TEXTS.shown}: ${formatPeriod(shown.period)}${without}`)
    const hint = isEmpty ? h('p', { className: 'hint' }, TEXTS.noData) : ''
    place.replaceChildren(cards, note, hint)
    say(`${TEXTS.metrics}. ${place.lastChild!.textContent || note.textContent}`)
    onLoad(ordered)
    // why: the cards hold without them, and the reports say what is wrong
    addMonths(elements, shown.period.to, reports, signal).catch(() => {})
    addShortfall(reports, signal).catch(() => {})
    if (shown.compare === undefined) return
    addChanges(shown, COMPARISONS[0], elements)
    // why: the year before a year is the previous period, too
    if (presetOf(wanted, PERIODS) === 'yearToDate') return
    const previous = await values(COMPARISONS[1])
    if (previous.compare?.period.from !== shown.compare.period.from)
      addChanges(previous, COMPARISONS[1], elements)
  }

  function addChanges(
    { metrics, compare }: Values,
    kind: (typeof COMPARISONS)[number],
    elements: ReadonlyMap<string, HTMLElement>,
  ): void {
    note.append(h('br'), `${TEXTS.comparisons[kind]}: ${formatPeriod(compare!.period)}`)
    for (const { code, format, compared, change, changePercent } of metrics) {
      const text = changeOf(change, changePercent, format) || EMPTY
      const properties = { className: 'change', title: formatValue(compared, format) }
      elements.get(code)?.append(h('dd', properties, `${text} ${TEXTS.changes[kind]}`))
    }
  }

  /** The lowest expected balance, if it is below zero, and the label of the first row with such a one. */
  async function addShortfall(listed: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const [report = '', column = ''] = shortfall?.split('.') ?? []
    if (!listed.has(report)) return
    const { rows, totals, columns } = await requestJson<Body>(`/reports/${report}`, signal)
    const value = Number(totals[column])
    if (!(value < 0)) return
    const metric = { code: '', title: TEXTS.cashGap, value, format: 'money' }
    const card = cardOf(metric, report)
    const label = String(rows.find(row => Number(row[column]) < 0)?.[columns[0]!.key])
    card.append(h('dd', { className: 'change' }, `${TEXTS.from.toLowerCase()} ${label}`))
    cards.append(card)
  }

  function start(): void {
    // why: the response of an earlier period may arrive later
    loading.abort()
    loading = new AbortController()
    const signal = AbortSignal.any([page.signal, loading.signal])
    loadInto(place, () => load(signal), signal)
  }

  start()
  return section
}

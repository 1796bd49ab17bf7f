/** Figures of the business as cards. */
import { queryString, requestJson } from './api.ts'
import type { MetricValue } from './api.ts'
import { changeOf } from './comparison.ts'
import { h } from './dom.ts'
import { EMPTY, formatPeriod, formatValue } from './format.ts'
import type { Page } from './page.ts'
import { periodPicker } from './period-picker.ts'
import type { Dates } from './periods.ts'
import { problemOf, problemView } from './problem.ts'
import { TEXTS } from './texts.ts'
import { hrefOf } from './state.ts'

/** Shown first; others follow in the order of the API. */
const MAIN: readonly string[] = [
  'income',
  'expenses',
  'profit',
  'profitability',
  'account_balance',
  'receivables',
  'payables',
  'deals_won_amount',
]

/** The body of `/metrics`. */
interface Values {
  readonly metrics: readonly MetricValue[]
  readonly compare?: { readonly period: Dates }
}

const COMPARISONS = ['year', 'previous'] as const

/** @param onLoad for the search */
export function metricCards(
  page: Page,
  onLoad: (metrics: readonly MetricValue[]) => void,
): HTMLElement {
  const cards = h('dl', { className: 'cards' })
  const note = h('p', { className: 'small muted' })
  const place = h('div', {}, cards)
  const more = h(
    'button',
    { type: 'button', className: 'quiet', onclick: toggle, hidden: true },
    TEXTS.moreMetrics,
  )
  const picker = periodPicker(datesOf(page), dates => page.go(hrefOf({ ...page.state, ...dates })))

  function toggle(): void {
    more.textContent = cards.classList.toggle('all') ? TEXTS.fewerMetrics : TEXTS.moreMetrics
  }

  async function load(): Promise<void> {
    const { from, to } = page.state
    const values = (compare?: string): Promise<Values> =>
      requestJson(`/metrics${queryString({ from, to, compare })}`, page.signal)
    const { metrics } = await values()
    const rank = ({ code }: MetricValue): number =>
      MAIN.includes(code) ? MAIN.indexOf(code) : MAIN.length
    const ordered = metrics.toSorted((a, b) => rank(a) - rank(b))
    const elements = new Map(ordered.map(metric => [metric.code, metricCard(metric)]))
    cards.replaceChildren(...elements.values())
    more.hidden = metrics.length <= MAIN.length
    note.replaceChildren()
    place.replaceChildren(cards, note)
    onLoad(ordered)
    const first = new Set<string | undefined>()
    for (const kind of COMPARISONS) {
      // why: cards without changes are still right
      const found = await values(kind).catch(() => undefined)
      // why: the year before this year is the previous period, too
      if (found === undefined || first.has(found.compare?.period.from)) continue
      first.add(found.compare?.period.from)
      if (found.compare !== undefined)
        note.append(`${TEXTS.comparisons[kind]}: ${formatPeriod(found.compare.period)}`, h('br'))
      for (const metric of found.metrics)
        elements.get(metric.code)?.append(changeElement(metric, kind))
    }
  }

  function start(): void {
    load().catch((error: unknown) => {
      if (page.signal.aborted) return
      const problem = problemOf(error)
      if (!page.isOfAccount(problem))
        place.replaceChildren(problemView(problem, start, page.signal))
    })
  }

  start()
  return h(
    'section',
    {},
    h(
      'div',
      { className: 'heading' },
      h('h2', { className: 'large' }, TEXTS.metrics),
      picker.element,
    ),
    place,
    more,
  )
}

/** `+9,9 % к прошлому году`, with the compared value as its title. */
function changeElement(
  { compared = null, change, changePercent, format }: MetricValue,
  compare: (typeof COMPARISONS)[number],
): HTMLElement {
  const text = changeOf(change, changePercent, format) || EMPTY
  return h(
    'dd',
    { className: 'change', title: formatValue(compared, format) },
    `${text} ${TEXTS.changes[compare]}`,
  )
}

export function metricCard({ title, value, format }: MetricValue): HTMLElement {
  const isNegative = value !== null && value < 0
  return h(
    'div',
    { className: 'metric' },
    h('dt', {}, title),
    h('dd', { className: isNegative ? 'negative' : '' }, formatValue(value, format)),
  )
}

function datesOf({ state: { from, to } }: Page): Partial<Dates> {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

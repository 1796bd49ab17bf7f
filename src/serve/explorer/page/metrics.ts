/** Figures of the business as cards. */
import { queryString, requestJson } from './api.ts'
import type { MetricValue } from './api.ts'
import { h } from './dom.ts'
import { formatValue } from './format.ts'
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

export function metricCards(page: Page): HTMLElement {
  const cards = h('dl', { className: 'cards' })
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
    const path = `/metrics${queryString({ from, to })}`
    const { metrics } = await requestJson<{ readonly metrics: readonly MetricValue[] }>(
      path,
      page.signal,
    )
    const rank = ({ code }: MetricValue): number =>
      MAIN.includes(code) ? MAIN.indexOf(code) : MAIN.length
    const ordered = metrics.toSorted((a, b) => rank(a) - rank(b))
    cards.replaceChildren(...ordered.map(card))
    more.hidden = metrics.length <= MAIN.length
    place.replaceChildren(cards)
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

function card({ title, value, format }: MetricValue): HTMLElement {
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

/** All reports by group, a search, and the metrics of the period. */
import { requestJson } from './api.ts'
import type { ListedReport, MetricValue } from './api.ts'
import { reportOf } from './card-reports.ts'
import { h, link } from './dom.ts'
import { metricCard, metricCards } from './metrics.ts'
import type { Page } from './page.ts'
import { problemOf, problemView } from './problem.ts'
import { createSearch, textOf } from './search.ts'
import { say } from './speech.ts'
import { hrefOf } from './state.ts'
import type { PageState } from './state.ts'
import { basisText, TEXTS } from './texts.ts'

export function catalogue(page: Page): HTMLElement[] {
  const content = h('div', { className: 'groups' }, h('p', { className: 'muted' }, TEXTS.loading))
  const input = h('input', {
    type: 'search',
    placeholder: `${TEXTS.search}: ${TEXTS.searchHint}`,
    aria: { label: TEXTS.search },
    value: page.state.find ?? '',
    oninput: () => find(input.value),
    onkeydown: openFirst,
  })
  let reports: readonly ListedReport[] | undefined
  let metrics: readonly MetricValue[] = []
  let { state } = page
  let listed: Promise<ReadonlySet<string>>
  let search: ((query: string) => readonly HTMLElement[]) | undefined

  /** As soon as reports or metrics have arrived. */
  function index(): void {
    if (reports === undefined) return
    const texts = new Map(reports.map(report => [report.code, textOf(report)]))
    const searchReports = createSearch(reports, textOf)
    // why: a report with the code of a metric lists what the metric sums up, and has keywords
    const searchMetrics = createSearch(
      metrics,
      ({ code, title }) => `${title} ${code} ${texts.get(code) ?? ''}`,
    )
    search = query => [
      ...groups(searchReports(query), page, state),
      ...(query.trim() === '' ? [] : metricGroup(searchMetrics(query).map(cardOf))),
    ]
    find(input.value)
  }

  /** A card that leads to the report behind it, if there is one. */
  function cardOf(metric: MetricValue): HTMLElement {
    const report = reportOf(metric.code)
    if (!reports?.some(({ code }) => code === report)) return metricCard(metric, metric.title)
    // why: what is to come depends on no period of the past
    const { from, to } = metric.code === 'cash_gap' ? {} : state
    const href = hrefOf({ report, from, to })
    return metricCard(metric, link(href, page.go, {}, metric.title))
  }

  function find(query: string): void {
    if (search === undefined) return
    state = { ...state, find: query }
    page.replace(state)
    const found = search(query)
    const nothing = h('p', { className: 'muted' }, TEXTS.nothingFound)
    content.replaceChildren(...(found.length === 0 ? [nothing] : found))
    if (query === '') return
    const count = content.querySelectorAll('.report-link, .metric').length
    say(count === 0 ? TEXTS.nothingFound : `${TEXTS.found}: ${count}`)
  }

  function openFirst(event: KeyboardEvent): void {
    if (event.key === 'Enter' && input.value !== '') content.querySelector('a')?.click()
    if (event.key === 'Escape') find((input.value = ''))
  }

  /** @returns the codes */
  async function load(): Promise<ReadonlySet<string>> {
    const list = await requestJson<{ readonly reports: readonly ListedReport[] }>(
      '/reports',
      page.signal,
    )
    reports = list.reports
    index()
    return new Set(reports.map(({ code }) => code))
  }

  function start(): void {
    listed = load().catch((error: unknown) => {
      const problem = problemOf(error)
      if (!page.signal.aborted && !page.isOfAccount(problem))
        content.replaceChildren(problemView(problem, start, page.signal))
      return new Set<string>()
    })
  }

  start()
  return [
    metricCards(
      page,
      cardOf,
      () => listed,
      loaded => {
        metrics = loaded
        index()
      },
      ({ from, to }) => {
        state = { ...state, from, to }
        page.push(state)
        index()
      },
    ),
    h(
      'section',
      {},
      h('div', { className: 'heading' }, h('h2', { className: 'large' }, TEXTS.reports), input),
      content,
    ),
  ]
}

function metricGroup(found: readonly HTMLElement[]): HTMLElement[] {
  if (found.length === 0) return []
  const cards = h('dl', { className: 'cards all' }, ...found)
  return [h('section', { className: 'group' }, h('h3', {}, TEXTS.metrics), cards)]
}

function groups(
  reports: readonly ListedReport[],
  page: Page,
  { from, to, find = '' }: PageState,
): HTMLElement[] {
  const order = Object.keys(TEXTS.groups)
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)
  const found = new Set(reports.map(({ group }) => group))
  const names = find.trim() === '' ? [...found].toSorted((a, b) => rank(a) - rank(b)) : [...found]
  return names.map(name =>
    h(
      'section',
      { className: 'group' },
      h('h3', {}, TEXTS.groups[name] ?? name),
      h(
        'ul',
        {},
        ...reports
          .filter(({ group }) => group === name)
          .map(report => item(report, page, hrefOf({ report: report.code, from, to }))),
      ),
    ),
  )
}

function item(
  { title, description, dateBasis }: ListedReport,
  page: Page,
  href: string,
): HTMLElement {
  return h(
    'li',
    {},
    link(
      href,
      to => page.go(to),
      { className: 'report-link' },
      h('span', { className: 'title' }, title),
      // why: what is counted matters once the report is open
      h('span', { className: 'muted' }, description?.replace(/(?<=\.) .*/, '')),
      dateBasis === null ? undefined : h('span', { className: 'basis' }, basisText(dateBasis)),
    ),
  )
}

/** All reports by group, a search, and the metrics of the period. */
import { requestJson } from './api.ts'
import type { ListedReport, MetricValue } from './api.ts'
import { h } from './dom.ts'
import { formatValue, newsClass } from './format.ts'
import { metricCards } from './metrics.ts'
import type { Page } from './page.ts'
import { loadInto } from './problem.ts'
import { createSearch, textOf } from './search.ts'
import { say } from './speech.ts'
import { hrefOf } from './state.ts'
import type { PageState } from './state.ts'
import { FORMATS, GROUPS, OWN_FORMATS, TEXTS } from './texts.ts'

/** By code: a report that cannot be loaded has its title, too. */
export const TITLES = new Map<string, string>()

export function catalogue(page: Page): HTMLElement[] {
  const content = h('div', { className: 'groups' }, h('p', { className: 'muted' }, TEXTS.loading))
  const input = h('input', {
    type: 'search',
    placeholder: TEXTS.search,
    aria: { label: TEXTS.search },
    value: page.state.find ?? '',
    oninput: () => find(input.value),
    onkeydown: openFirst,
  })
  let reports: readonly ListedReport[] | undefined
  let metrics: readonly MetricValue[] = []
  let { state } = page
  let loading: Promise<void>
  let search: ((query: string) => readonly HTMLElement[]) | undefined

  /** As soon as reports or metrics have arrived. */
  function index(): void {
    if (reports === undefined) return
    const texts = new Map(reports.map(report => [report.code, textOf(report)]))
    const searchReports = createSearch(reports, textOf, OWN_FORMATS.search)
    const searchMetrics = createSearch(
      metrics,
      ({ code, title }) => `${title} ${code} ${texts.get(code) ?? ''}`,
      OWN_FORMATS.search,
    )
    search = query => [
      ...groups(searchReports(query), state),
      ...(query.trim() === '' ? [] : metricGroup(searchMetrics(query).map(each => cardOf(each)))),
    ]
    find(input.value)
  }

  /** Leads to the report behind it, if there is one. @param ahead a report of no past period */
  function cardOf({ code, title, value, format }: MetricValue, ahead?: string): HTMLElement {
    const found =
      reports?.find(each => each.code === code) ??
      reports?.find(({ keywords }) => keywords.includes(code))
    const report = ahead ?? found?.code
    const { from, to } = ahead === undefined ? state : {}
    // why: who owes most may owe nothing that is overdue; unknown columns are ignored
    const sort = code.endsWith('_overdue') ? '-overdue' : undefined
    const go = h('a', { href: hrefOf({ report, from, to, sort }) }, title)
    const figure = h('dd', { className: newsClass(code, value) }, formatValue(value, format))
    return h('div', { className: 'metric' }, h('dt', {}, report ? go : title), figure)
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

  async function load(): Promise<void> {
    const list = await requestJson<{ reports: ListedReport[] }>('/reports', page.signal)
    reports = list.reports
    for (const { code, title } of reports) TITLES.set(code, title)
    index()
  }

  async function listed(): Promise<ReadonlySet<string>> {
    await loading.catch(() => {})
    return new Set(reports?.map(({ code }) => code))
  }

  loadInto(content, () => (loading = load()), page.signal)
  return [
    metricCards(
      page,
      cardOf,
      listed,
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
  { from, to, find = '' }: PageState,
): HTMLElement[] {
  const order = [...GROUPS.keys()]
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)
  const found = new Set(reports.map(({ group }) => group))
  const names = find.trim() === '' ? [...found].toSorted((a, b) => rank(a) - rank(b)) : [...found]
  return names.map(name =>
    h(
      'section',
      { className: 'group' },
      h('h3', {}, GROUPS.get(name) ?? name),
      h(
        'ul',
        {},
        ...reports
          .filter(({ group }) => group === name)
          .map(report => item(report, hrefOf({ report: report.code, from, to }))),
      ),
    ),
  )
}

function item({ title, description, dateBasis }: ListedReport, href: string): HTMLElement {
  return h(
    'li',
    {},
    h(
      'a',
      { href, className: 'report-link' },
      h('span', { className: 'title' }, title),
      // why: what is counted matters once the report is open
      h('span', { className: 'muted' }, description?.replace(/(?<=\.) .*/, '')),
      dateBasis === null
        ? undefined
        : h('span', { className: 'basis' }, FORMATS.dateBases[dateBasis.code]),
    ),
  )
}

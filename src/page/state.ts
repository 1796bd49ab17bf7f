/** What the address of the page says: report, period, sorting. Never the key. */

export interface PageState {
  /** Code; undefined for the catalogue. */
  readonly report: string | undefined
  /** `reference` is the description of the API. */
  readonly view: 'reference' | undefined
  /** `YYYY-MM-DD`, inclusive; without both 1 January to today, see `datesOf`. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** The period that is compared with: `previous` or `year`; others are ignored. */
  readonly compare: string | undefined
  /** Key of a column, after `-` in descending order. */
  readonly sort: string | undefined
  /** Text that rows of the table contain. */
  readonly find: string | undefined
  /** Key of the column that the chart shows, or `none`. */
  readonly chart: string | undefined
  /** Of the report's parameters, by name. */
  readonly values: Readonly<Record<string, string>>
}

const NAMES = ['report', 'view', 'from', 'to', 'compare', 'sort', 'find', 'chart'] as const

/** Before the name of a report's parameter, which may be one of the names above. */
const OF_REPORT = 'by.'

export function readState(query: string): PageState {
  const parameters = new URLSearchParams(query)
  const all = Object.fromEntries(NAMES.map(name => [name, parameters.get(name) ?? undefined]))
  const own = [...parameters].filter(([name]) => name.startsWith(OF_REPORT))
  const values = Object.fromEntries(
    own.map(([name, value]) => [name.slice(OF_REPORT.length), value]),
  )
  const view = all['view'] === 'reference' ? 'reference' : undefined
  return { ...all, view, values } as PageState
}

/** The address relative to the page: `?report=debts&from=2026-01-01`. */
export function hrefOf(state: Partial<PageState>): string {
  const given = NAMES.flatMap(name => {
    const value = state[name]
    return value === undefined || value === '' ? [] : [[name, value] as [string, string]]
  })
  const own = Object.entries(state.values ?? {})
  const all = [...given, ...own.map(([name, value]) => [OF_REPORT + name, value])]
  const query = new URLSearchParams(all).toString()
  return query === '' ? location.pathname : `?${query}`
}

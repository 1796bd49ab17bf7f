/** The table of a report with its filter, sorting and totals, and the chart of the same rows. */
import type { Dates, ReportDescription, TableColumn } from './api.ts'
import { createChart } from './chart.ts'
import { h } from './dom.ts'
import { decimalsOf, formatCount, formatPeriod, formatOwnMonth, type Row } from './format.ts'
import { hrefOfRow } from './links.ts'
import { setTitle } from './organization.ts'
import { MAX_ROWS } from './read-rows.ts'
import type { ReportRows } from './read-rows.ts'
import { findRows, sortRows, sumRows } from './rows.ts'
import { normalize } from './search.ts'
import type { PageState } from './state.ts'
import { createTable } from './table.ts'
import { FORMATS, TEXTS } from './texts.ts'

/** Rows of one table; more are in the file. */
const MAX_SHOWN = 1000
/** As in the style sheet. */
const PHONE = '(max-width: 720px)'

export interface Drawn {
  /** All that are found, in their order. */
  readonly rows: readonly Row[]
  readonly totals: Row | undefined
  /** `found "x"`; empty without a filter. */
  readonly filter: string
}

/** @returns the chart, if there is one, and the table */
export function reportTable(options: {
  readonly schema: ReportDescription
  readonly rows: ReportRows
  /** The values of its parameters in words. */
  readonly selection: () => string
  /** The period that is asked for. */
  readonly dates: Dates
  readonly state: () => PageState
  readonly change: (part: Partial<PageState>) => void
  /** Called with what the table shows after each change of filter or order. */
  readonly onDraw: (drawn: Drawn | undefined) => void
  readonly signal: AbortSignal
}): HTMLElement[] {
  const { rows, state, change, onDraw, signal } = options
  if (rows.rowCount === 0) return [h('p', { className: 'empty' }, TEXTS.noRows)]
  const schema = { ...options.schema, columns: options.schema.columns.map(prepared) }
  const hrefOf = (link: string, row: Row) => hrefOfRow(link, row, options.dates)
  const { shown, ids } = arrange(schema, rows.rows)
  const { compare, period } = rows.end ?? {}
  const compared = compare?.period
  // why: some rows of many are no basis for an order, a search or a chart
  const isWhole = rows.rowCount <= MAX_ROWS
  const chart = isWhole
    ? createChart(schema, compared, state().chart, change, hrefOf, signal)
    : undefined
  const count = h('span', { className: 'muted', aria: { role: 'status' } })
  const hint = h('p', { className: 'hint' })
  const input = h('input', {
    type: 'search',
    placeholder: TEXTS.find,
    aria: { label: TEXTS.find },
    value: state().find ?? '',
    hidden: !isWhole,
    oninput: () => {
      change({ find: input.value })
      draw()
    },
  })
  const toggle = h('input', { type: 'checkbox', onchange: build })
  const place = h('div')
  const printed = h('p', { className: 'printed' })
  let table: ReturnType<typeof createTable>

  /** With the most decimals of its values; the link of the report is its label's. */
  function prepared(column: TableColumn): TableColumn {
    const { key, type, role, link = role === 'label' ? options.schema.link : undefined } = column
    const linked = link === undefined ? column : { ...column, link }
    if (type !== 'number' && type !== 'percent') return linked
    const values = [...rows.rows, rows.end?.totals].map(row => decimalsOf(row?.[key]))
    return { ...linked, decimals: Math.max(...values) }
  }

  function build(): void {
    table = createTable({
      title: schema.title,
      columns: toggle.checked ? [...shown, ...ids] : shown,
      onSort: sort => {
        change({ sort })
        draw()
      },
      isSortable: isWhole,
      isCompared: compared !== undefined,
      hrefOf,
      signal,
    })
    place.replaceChildren(table.element)
    draw()
  }

  function draw(): void {
    const { find = '' } = state()
    const sort = (isWhole ? state().sort : undefined) ?? newestOf(schema)
    const found = isWhole ? findRows(rows.rows, schema.columns, find) : rows.rows
    const isAll = found.length === rows.rows.length
    const sorted = sortRows(found, sort)
    const totals = isAll ? rows.end?.totals : sumRows(found, schema.columns, TEXTS.totalFound)
    const isFiltered = isWhole && find.trim() !== ''
    const filter = isFiltered ? TEXTS.filtered.replace('{text}', () => find.trim()) : ''
    table.update(sorted.slice(0, MAX_SHOWN), totals && labelled(totals), sort)
    chart?.update(sorted, state().sort !== undefined)
    const number = isAll ? rows.rowCount : found.length
    count.textContent = `${isAll ? TEXTS.rows : TEXTS.rowsFound}: ${formatCount(number)}`
    hint.textContent = number > MAX_SHOWN ? firstRows(number) : ''
    const ofAll = `${formatCount(number)} ${TEXTS.firstRowsOf} ${formatCount(rows.rowCount)}`
    printed.textContent = filter && `${filter}: ${ofAll}`
    setTitle([schema.title, options.selection(), filter].filter(Boolean).join(', '))
    onDraw(isWhole ? { rows: sorted, totals, filter } : undefined)
  }

  /** How many of the rows are shown. */
  function firstRows(number: number): string {
    const isNewest = newestOf(schema) !== undefined && !(isWhole && state().sort !== undefined)
    const [first, of] =
      rows.end === undefined
        ? [TEXTS.shown, `${TEXTS.firstRowsOf} ${TEXTS.moreThan}`]
        : [isNewest ? TEXTS.newestRows : TEXTS.firstRows, TEXTS.firstRowsOf]
    const text = `${first} ${formatCount(MAX_SHOWN)} ${of} ${formatCount(number)}. ${TEXTS.firstRowsMore}`
    return isWhole ? text : `${text} ${TEXTS.shorterPeriod}`
  }

  /** The label of the totals is in the first column, whichever that is. */
  function labelled(totals: Row): Row {
    const label = schema.columns.find(({ role }) => role === 'label')!
    return { ...totals, [label.key]: null, [shown[0]!.key]: totals[label.key] ?? null }
  }

  build()
  const ofIds = ids.length > 0 && h('label', { className: 'muted' }, toggle, TEXTS.ids)
  const heading = h('div', { className: 'heading' }, count, ofIds, input)
  const periods =
    compared && `${formatPeriod(period!)}; ${TEXTS.beneathValues} ${formatPeriod(compared)}`
  const beneath = periods && h('p', { className: 'small beneath' }, periods)
  const ofSeveral = schema.columns.filter(({ currency }) => typeof currency === 'object')
  const isTotalled = ofSeveral.some(({ key }) => rows.end?.totals[key] !== null)
  const note = ofSeveral.length > 0 && !isTotalled ? FORMATS.severalCurrencies : ''
  const foot = h('p', { className: 'small muted' }, note)
  const ofRows = h('div', { className: 'rows' }, heading, beneath, hint, printed, place, foot)
  return chart === undefined ? [ofRows] : [chart.element, ofRows]
}

/** Documents with a date: the newest first. Periods, which are their own key, have the order of time. */
export function newestOf({ chart, columns, key }: ReportDescription): string | undefined {
  const times = columns.filter(({ type }) => type === 'date' || type === 'datetime')
  const label = times.find(column => column.key === chart?.label)
  if (label === undefined || times.some(column => key.includes(column.key))) return undefined
  return `-${label.key}`
}

/** Label, money, dates, the rest; and ids, which loaders need. */
function arrange(
  schema: ReportDescription,
  rows: readonly Row[],
): Readonly<Record<'shown' | 'ids', readonly TableColumn[]>> {
  const { columns, key, chart } = schema
  const isLinked = (name: string): boolean =>
    columns.some(({ link = '' }) => link.includes(`{${name}}`))
  const isId = ({ key: name }: TableColumn): boolean =>
    /(?:^|_)id$/.test(name) && (key.includes(name) || isLinked(name))
  const [label = columns[0]!] = [
    ...columns.filter(column => column.key === chart?.label && column.type === 'text'),
    ...columns.filter(column => !isId(column)),
  ]
  // why: on a phone a month that repeats the label would take the place of the figures
  const repeatsLabel = ({ key: month, type }: TableColumn): boolean =>
    type === 'month' &&
    rows.every(row => formatOwnMonth(row[month]) === normalize(String(row[label.key])))
  const rankOf = (column: TableColumn): number => {
    if (column.key === chart?.measures[0] && matchMedia(PHONE).matches) return 1
    // why: a price of one piece tells less than how many to order
    const isMain = column.aggregation.rows === 'sum' || chart?.measures.includes(column.key)
    if (column.type === 'money' && isMain) return 2
    return column.type === 'date' || `-${column.key}` === newestOf(schema) ? 3 : 4
  }
  const month = columns.find(repeatsLabel)
  return {
    shown: [
      { ...label, month },
      ...columns
        .filter(column => column !== label && column !== month && !isId(column))
        .toSorted((a, b) => rankOf(a) - rankOf(b)),
    ],
    ids: columns.filter(column => column !== label && isId(column)),
  }
}

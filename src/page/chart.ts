/** A chart of one measure: columns over time, or bars of the largest categories. Chosen from the schema. */
import type { TableColumn } from './api.ts'
import { h } from './dom.ts'
import { formatValue } from './format.ts'
import type { Row } from './read-rows.ts'
import { TEXTS } from './texts.ts'
import { timeChart } from './time-chart.ts'

export const NO_CHART = 'none'

/** Categories of one chart. */
const MAX_BARS = 8

export interface ChartChoice {
  /** The column of time or of categories. */
  readonly by: TableColumn
  readonly isTime: boolean
  /** Columns that the chart may show; the first is the default. */
  readonly measures: readonly TableColumn[]
}

/** Undefined if the schema has nothing to draw. */
export function chooseChart(
  columns: readonly TableColumn[],
  key: readonly string[],
): ChartChoice | undefined {
  const measures = columns.filter(({ role }) => role === 'measure')
  const time = columns.find(column => isTime(column) && key.includes(column.key))
  const label = columns.find(({ role }) => role === 'label')
  const by = time ?? label
  if (by === undefined || measures.length === 0) return undefined
  if (time !== undefined) return { by, isTime: true, measures }
  // why: of categories only sums can be compared; rows of documents are no categories
  const sums = measures.filter(({ aggregation }) => aggregation.rows === 'sum')
  const isDocuments = key.length === 1 && label?.key === key[0] && columns.some(isTime)
  return sums.length === 0 || isDocuments ? undefined : { by, isTime: false, measures: sums }
}

function isTime({ type }: TableColumn): boolean {
  return type === 'month' || type === 'date'
}

export interface Chart {
  readonly element: HTMLElement
  update(rows: readonly Row[]): void
}

/** @param chosen key of a measure, or `none` */
export function createChart(
  { by, isTime, measures }: ChartChoice,
  chosen: string | undefined,
  onChoose: (key: string) => void,
  signal: AbortSignal,
): Chart {
  let rows: readonly Row[] = []
  const select = h(
    'select',
    { aria: { label: TEXTS.chart }, onchange: choose },
    ...measures.map(({ key, title }) => h('option', { value: key }, title)),
    h('option', { value: NO_CHART }, TEXTS.noChart),
  )
  const isKnown = chosen === NO_CHART || measures.some(({ key }) => key === chosen)
  select.value = isKnown ? chosen! : measures[0]!.key
  const drawing = h('div', { className: 'drawing' })
  const element = h(
    'section',
    { className: 'chart' },
    h('div', { className: 'heading' }, select),
    drawing,
  )

  function choose(): void {
    onChoose(select.value)
    draw()
  }

  function draw(): void {
    const measure = measures.find(({ key }) => key === select.value)
    element.hidden = rows.length < 2
    if (measure === undefined || element.hidden) drawing.replaceChildren()
    else if (isTime) drawing.replaceChildren(timeChart(rows, by, measure, drawing.clientWidth))
    else drawing.replaceChildren(barChart(rows, by, measure))
  }

  // why: its own content changes the height only
  let width = 0
  const observer = new ResizeObserver(() => {
    if (drawing.clientWidth === width) return
    width = drawing.clientWidth
    draw()
  })
  observer.observe(drawing)
  signal.addEventListener('abort', () => observer.disconnect(), { once: true })
  return {
    element,
    update(newRows) {
      rows = newRows
      draw()
    },
  }
}

function barChart(rows: readonly Row[], by: TableColumn, measure: TableColumn): HTMLElement {
  const valueOf = (row: Row): number => Number(row[measure.key] ?? 0)
  const largest = rows
    .filter(row => valueOf(row) !== 0)
    .toSorted((a, b) => Math.abs(valueOf(b)) - Math.abs(valueOf(a)))
    .slice(0, MAX_BARS)
  const max = Math.abs(valueOf(largest[0] ?? {}))
  const bars = largest.map(row => {
    const value = valueOf(row)
    const bar = h('span', { className: value < 0 ? 'bar below' : 'bar' })
    bar.style.width = `${(Math.abs(value) / max) * 100}%`
    return h(
      'li',
      {},
      h(
        'span',
        { className: 'name', title: String(row[by.key] ?? '') },
        formatValue(row[by.key], by.type),
      ),
      h('span', { className: 'track' }, bar),
      h(
        'span',
        { className: value < 0 ? 'value negative' : 'value' },
        formatValue(value, measure.type),
      ),
    )
  })
  return h('ol', { className: 'bars', aria: { label: `${TEXTS.top}: ${measure.title}` } }, ...bars)
}

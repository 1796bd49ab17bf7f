/** The chart that a report declares: over time, or bars of categories. Filter and order are those of the table. */
import type { Dates, ReportDescription, TableColumn } from './api.ts'
import { h } from './dom.ts'
import { formatCount, formatPeriod, formatValue, type Row } from './format.ts'
import type { CellValue } from './format.ts'
import { TEXTS } from './texts.ts'
import { endsOf, timeChart, type Figure, type Point } from './time-chart.ts'

const NO_CHART = 'none'
/** Categories of one chart. */
const MAX_BARS = { value: 8, rows: 20 }
/** More days are drawn as months. */
const MAX_DAYS = 62

interface Chart {
  readonly element: HTMLElement
  /** @param isSorted whether bars have the order of the rows */
  update(rows: readonly Row[], isSorted: boolean): void
}

/**
 * Undefined if the report declares none.
 * @param compared the period of the comparison
 * @param chosen key of one measure, or `none`
 */
export function createChart(
  schema: ReportDescription,
  compared: Dates | undefined,
  chosen: string | undefined,
  onChoose: (choice: { readonly chart: string | undefined }) => void,
  hrefOf: (link: string, row: Row) => string | undefined,
  signal: AbortSignal,
): Chart | undefined {
  if (schema.chart === null) return undefined
  const { kind, measures: keys, label, order = 'value' } = schema.chart
  const columnOf = (key: string): TableColumn => schema.columns.find(column => column.key === key)!
  const measures = keys.map(columnOf)
  const choices = [
    { key: '', title: measures.map(({ title }) => title).join(', ') },
    ...(measures.length > 1 ? measures : []),
    { key: NO_CHART, title: TEXTS.noChart },
  ]
  const select = h(
    'select',
    { aria: { label: TEXTS.chart }, onchange: choose },
    ...choices.map(({ key, title }) => h('option', { value: key }, title)),
  )
  select.value = choices.some(({ key }) => key === chosen) ? chosen! : ''
  const legend = h('p', { className: 'legend small' })
  const drawing = h('div', { className: 'drawing' })
  const note = h('p', { className: 'small muted' })
  const element = h(
    'section',
    { className: 'chart', aria: { label: TEXTS.chart } },
    h('div', { className: 'heading' }, select, legend),
    drawing,
    note,
  )
  let rows: readonly Row[] = []
  let isInOrderOfRows = false

  function choose(): void {
    onChoose({ chart: select.value || undefined })
    draw()
  }

  function draw(): void {
    const isOff = select.value === NO_CHART
    const drawn = isOff ? [] : select.value === '' ? measures : [columnOf(select.value)]
    const points = isOff ? [] : pointsOf(schema, rows, columnOf(label), drawn)
    element.hidden = points.length < 2 && !isOff
    element.classList.toggle('off', isOff)
    const names = drawn.map(({ title }, at) => h('span', { className: `series-${at}` }, title))
    const hasMarks = points.some(({ values }) => values.some(each => each.compared !== null))
    const was = hasMarks && h('span', { className: 'was' }, formatPeriod(compared!))
    legend.replaceChildren(...names, was || '')
    note.textContent = ''
    if (points.length < 2) drawing.replaceChildren()
    else if (kind === 'bars') {
      if (!isInOrderOfRows && order !== 'rows') points.sort((a, b) => sizeOf(b) - sizeOf(a))
      const shown = points.slice(0, MAX_BARS[order])
      const { link } = columnOf(label)
      const hrefOfBar = ({ row, count }: Point) =>
        link !== undefined && count === 1 ? hrefOf(link, row) : undefined
      drawing.replaceChildren(barChart(shown, drawn, schema.key, hrefOfBar))
      if (shown.length < points.length)
        note.textContent = `${formatCount(shown.length)} ${TEXTS.firstRowsOf} ${formatCount(points.length)}`
    } else {
      points.sort((a, b) => ((a.was ?? a.label) < (b.was ?? b.label) ? -1 : 1))
      drawing.replaceChildren(timeChart(points, drawn, kind, drawing.clientWidth || 1000))
    }
  }

  // why: its own content changes the height only, and bars have links that keep the focus
  let width = 0
  const observer = new ResizeObserver(() => {
    if (drawing.clientWidth === width || kind === 'bars') return
    width = drawing.clientWidth
    draw()
  })
  observer.observe(drawing)
  signal.addEventListener('abort', () => observer.disconnect(), { once: true })
  return {
    element,
    update(newRows, isSorted) {
      rows = newRows
      isInOrderOfRows = isSorted
      draw()
    },
  }
}

/**
 * Rows with the same label are added up if the report divides what the label names: by a second column of its key, by
 * document, or by time. Otherwise they are two customers of one name, as are rows whose id or INN differs. Measures
 * that have no sum are not added up.
 */
function pointsOf(
  { key, columns }: ReportDescription,
  all: readonly Row[],
  label: TableColumn,
  measures: readonly TableColumn[],
): Point[] {
  const isTime = label.type === 'date' || label.type === 'datetime'
  // why: documents that only the compared period has would stand before the period
  const isOwn = (row: Row): boolean =>
    measures.some(({ key: name }) => row[name] !== null || row[`${name}_compared`] === undefined)
  const rows = isTime ? all.filter(isOwn) : all
  const isDocument = columns.some(column => column.role === 'label' && key.includes(column.key))
  const isDivided = isTime || key.length > 1 || isDocument
  const isSum = measures.every(({ aggregation }) => aggregation.rows === 'sum')
  const wasOf = (row: Row): CellValue => row[`${label.key}_compared`] ?? null
  const ownOf = (row: Row): string => String(row[label.key] ?? '')
  const nameOf = (row: Row): string => String(wasOf(row) ?? ownOf(row))
  const isLong = isTime && new Set(rows.map(row => nameOf(row).slice(0, 10))).size > MAX_DAYS
  const shorten = (name: string): string => (isTime ? name.slice(0, isLong ? 7 : 10) : name)
  const groups = new Map<unknown, Row[]>()
  for (const row of rows) {
    const id = isTime ? '' : `\n${row[`${label.key}_id`] ?? row['inn']}`
    const group = isSum && isDivided ? shorten(nameOf(row)) + id : row
    const found = groups.get(group)
    if (found === undefined) groups.set(group, [row])
    else found.push(row)
  }
  return Array.from(groups.values(), ofGroup => ({
    row: ofGroup[0]!,
    count: ofGroup.length,
    // why: rows that only the compared period has are of the month that is compared
    label: shorten(ofGroup.map(ownOf).toSorted().at(-1)!),
    was: wasOf(ofGroup[0]!),
    values: measures.map(({ key: measure }) => ({
      value: sumOf(ofGroup.map(row => row[measure])),
      compared: sumOf(ofGroup.map(row => row[`${measure}_compared`])),
    })),
  }))
}

function sumOf(values: readonly (CellValue | undefined)[]): number | null {
  const numbers = values.filter(value => typeof value === 'number')
  return numbers.length === 0 ? null : numbers.reduce((total, value) => total + value, 0)
}

function sizeOf(point: Point): number {
  return Math.max(...endsOf(point).map(Math.abs))
}

function barChart(
  points: readonly Point[],
  measures: readonly TableColumn[],
  key: readonly string[],
  hrefOf: (point: Point) => string | undefined,
): HTMLElement {
  const ends = points.flatMap(endsOf)
  const low = Math.min(0, ...ends)
  const range = Math.max(0, ...ends) - low || 1
  const percent = (length: number): string => `${(length / range) * 100}%`
  const figure = ({ value, compared }: Figure, at: number): HTMLElement[] => {
    const isBelow = (value ?? 0) < 0
    const bar = h('span', { className: `bar series-${at} ${isBelow ? 'below' : ''}` })
    bar.style.left = percent(Math.min(0, value ?? 0) - low)
    bar.style.width = percent(Math.abs(value ?? 0))
    const { title, type } = measures[at]!
    const track = h('span', { className: 'track', title }, value ? bar : undefined)
    if (compared !== null) {
      const mark = h('span', { className: 'was', title: formatValue(compared, type) })
      mark.style.left = percent(compared - low)
      track.append(mark)
    }
    const className = isBelow ? 'value negative' : 'value'
    return [track, h('span', { className }, formatValue(value, type))]
  }
  const bars = points.map(point => {
    const { label, row, values } = point
    const isNamesake = points.some(other => other.label === label && other.row !== row)
    const id = isNamesake ? ` ${row['inn'] ?? key.map(each => row[each]).join(' ')}` : ''
    const href = hrefOf(point)
    const text = href === undefined ? h('span', {}, label) : h('a', { href }, label)
    const name = h('span', { className: 'name', title: label + id }, text, id)
    return h('li', {}, name, ...values.flatMap(figure))
  })
  const title = measures.map(measure => measure.title).join(', ')
  const className = low < 0 ? 'bars signed' : 'bars'
  const list = h('ol', { className, aria: { label: title } }, ...bars)
  list.style.setProperty('--zero', percent(-low))
  return list
}

/** Columns or lines over time, as SVG. */
import type { DeclaredChart, TableColumn } from './api.ts'
import { svg } from './dom.ts'
import { formatShort, formatTick, formatValue, type CellValue, type Row } from './format.ts'

/** Rows with one label. */
export interface Point {
  readonly label: string
  /** The month that is compared; of a row that only the compared period has, the label. */
  readonly was: CellValue
  /** The first of them. */
  readonly row: Row
  readonly count: number
  /** By measure. */
  readonly values: readonly Figure[]
}

export interface Figure {
  readonly value: number | null
  readonly compared: number | null
}

const HEIGHT = 220
const MARGIN = { top: 12, right: 8, bottom: 26, left: 84 }
const MAX_COLUMN_WIDTH = 48
/** Pixels between two labels. */
const LABEL_WIDTH = 64
const tickOf = ({ label, was }: Point): string => formatTick(label, was)

export function timeChart(
  points: readonly Point[],
  measures: readonly TableColumn[],
  kind: DeclaredChart['kind'],
  width: number,
): SVGElement {
  const { type } = measures[0]!
  const values = points.flatMap(endsOf)
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values))
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  const inner = {
    width: Math.max(100, width - MARGIN.left - MARGIN.right),
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  }
  const yOf = (value: number): number =>
    MARGIN.top + inner.height * (1 - (value - low) / (high - low || 1))
  const step = inner.width / points.length
  const group = Math.min(MAX_COLUMN_WIDTH * measures.length, step * 0.8)
  const columnWidth = group / measures.length
  const middle = (at: number): number => MARGIN.left + step * (at + 0.5)

  const grid = ticks.map(tick =>
    svg(
      'g',
      { class: tick === 0 ? 'axis' : 'grid' },
      svg('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: yOf(tick), y2: yOf(tick) }),
      svg(
        'text',
        { x: MARGIN.left - 10, y: yOf(tick) + 4, 'text-anchor': 'end' },
        formatShort(tick, type),
      ),
    ),
  )

  function column({ value, compared }: Figure, left: number, at: number): SVGElement[] {
    const [y, zero] = [yOf(value ?? 0), yOf(0)]
    const rect = svg('rect', {
      class: `column series-${at} ${(value ?? 0) < 0 ? 'below' : ''}`,
      x: left + 0.5,
      y: Math.min(y, zero),
      width: Math.max(1, columnWidth - 1),
      height: (value ?? 0) === 0 ? 0 : Math.max(1, Math.abs(zero - y)),
    })
    if (compared === null) return [rect]
    const line = { x1: left, x2: left + columnWidth, y1: yOf(compared), y2: yOf(compared) }
    return [rect, svg('line', { class: 'was', ...line })]
  }

  const areas = points.map(({ label, was, values: ofPoint }, index) => {
    const left = middle(index) - group / 2
    const isColumns = kind === 'columns'
    const months = [label, was].map(month => formatValue(month, 'month')).join(' / ')
    const texts = ofPoint.map(({ value, compared }, at) => {
      const was = compared === null ? '' : ` (${formatValue(compared, type)})`
      return `${measures[at]!.title}: ${formatValue(value, type)}${was}`
    })
    return svg(
      'g',
      { class: 'point' },
      // why: the whole height shows the value, not only the column
      svg('rect', {
        class: 'area',
        x: middle(index) - step / 2,
        y: MARGIN.top,
        width: step,
        height: inner.height,
      }),
      isColumns && ofPoint.map((figure, at) => column(figure, left + at * columnWidth, at)),
      svg('title', {}, [was === null ? formatTick(label) : months, ...texts].join('\n')),
    )
  })

  /** Through the points that have a value. */
  const line = (className: string, valueOf: (point: Point) => number | null): SVGElement => {
    const path = points.flatMap((point, index) => {
      const value = valueOf(point)
      return value === null ? [] : [`${middle(index)},${yOf(value)}`]
    })
    return svg('polyline', { class: `line ${className}`, points: path.join(' ') })
  }
  const lines =
    kind === 'lines' &&
    measures.flatMap((_, at) => [
      line('was', ({ values: ofPoint }) => ofPoint[at]!.compared),
      line(`series-${at}`, ({ values: ofPoint }) => ofPoint[at]!.value),
    ])
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step))
  const labels = points.map((point, index) =>
    index % every === 0
      ? svg('text', { x: middle(index), y: HEIGHT - 8, 'text-anchor': 'middle' }, tickOf(point))
      : undefined,
  )
  const title = measures.map(measure => measure.title).join(', ')
  return svg(
    'svg',
    { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': title },
    grid,
    areas,
    lines,
    labels,
  )
}

/** Round numbers from at most `min` to at least `max`, zero included. */
function ticksOf(min: number, max: number): number[] {
  const range = max - min || 1
  const power = 10 ** Math.floor(Math.log10(range / 4))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => range / size <= 5) ?? range
  const [first, last] = [Math.floor(min / step), Math.ceil(max / step)]
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}

/** Zero for what is missing. */
export function endsOf({ values }: Point): number[] {
  return values.flatMap(({ value, compared }) => [value ?? 0, compared ?? 0])
}

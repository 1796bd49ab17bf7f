/** Columns over months, as SVG. */
import type { TableColumn } from './api.ts'
import { svg } from './dom.ts'
import { formatShort, formatTick, formatValue } from './format.ts'
import type { Row } from './read-rows.ts'

const HEIGHT = 220
const MARGIN = { top: 12, right: 8, bottom: 26, left: 84 }
const MAX_COLUMN_WIDTH = 48
/** Pixels between two labels. */
const LABEL_WIDTH = 64

export function timeChart(
  rows: readonly Row[],
  by: TableColumn,
  measure: TableColumn,
  width: number,
): SVGElement {
  const points = rows
    .map(row => ({ at: String(row[by.key] ?? ''), value: row[measure.key] as number | null }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const values = points.map(({ value }) => value ?? 0)
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values))
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  const inner = {
    width: Math.max(100, width - MARGIN.left - MARGIN.right),
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  }
  const yOf = (value: number): number =>
    MARGIN.top + inner.height * (1 - (value - low) / (high - low || 1))
  const step = inner.width / points.length
  const columnWidth = Math.min(MAX_COLUMN_WIDTH, step * 0.7)
  const middle = (at: number): number => MARGIN.left + step * (at + 0.5)

  const grid = ticks.map(tick =>
    svg(
      'g',
      { class: tick === 0 ? 'axis' : 'grid' },
      svg('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: yOf(tick), y2: yOf(tick) }),
      svg(
        'text',
        { x: MARGIN.left - 10, y: yOf(tick) + 4, 'text-anchor': 'end' },
        formatShort(tick, measure.type),
      ),
    ),
  )
  const columns = points.map(({ at, value }, index) => {
    const [y, zero] = [yOf(value ?? 0), yOf(0)]
    const height = value === 0 || value === null ? 0 : Math.max(1, Math.abs(zero - y))
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
      svg('rect', {
        class: (value ?? 0) < 0 ? 'column below' : 'column',
        x: middle(index) - columnWidth / 2,
        y: Math.min(y, zero),
        width: columnWidth,
        height,
        rx: 2,
      }),
      svg('title', {}, `${formatValue(at, by.type)}: ${formatValue(value, measure.type)}`),
    )
  })
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step))
  const labels = points.map(({ at }, index) =>
    index % every === 0
      ? svg('text', { x: middle(index), y: HEIGHT - 8, 'text-anchor': 'middle' }, formatTick(at))
      : undefined,
  )
  return svg(
    'svg',
    { width, height: HEIGHT, role: 'img', 'aria-label': `${measure.title}, ${by.title}` },
    ...grid,
    ...columns,
    ...labels,
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

/** The last months of figures that a report by month has. */
import { queryString, requestJson } from './api.ts'
import { h, svg } from './dom.ts'
import { formatValue, type Row } from './format.ts'
import { CARDS } from './texts.ts'

/**
 * Adds to cards, by code of the metric, the twelve months up to a day.
 * @param to `YYYY-MM-DD`
 * @throws ApiProblem; the signal's reason
 */
export async function addMonths(
  cards: ReadonlyMap<string, HTMLElement>,
  to: string,
  listed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const first = new Date(to)
  first.setUTCMonth(first.getUTCMonth() - 11, 1)
  const query = queryString({ from: first.toISOString().slice(0, 10), to })
  const reports = new Map<string, Promise<{ rows: Row[] }>>()
  for (const [metric, source] of CARDS) {
    const [report = '', columns = ''] = source.split('.')
    if (!listed.has(report)) continue
    const loading = reports.get(report) ?? requestJson(`/reports/${report}${query}`, signal)
    reports.set(report, loading)
    const { rows } = await loading
    const valueOf = (row: Row): number =>
      columns.split(' + ').reduce((sum, key) => sum + Number(row[key]), 0)
    const values = rows.map(valueOf)
    if (values.length > 1 && values.every(Number.isFinite))
      cards.get(metric)?.append(monthsElement(rows, values))
  }
}

/** A line without axes, whose figures are its text. */
function monthsElement(rows: readonly Row[], values: readonly number[]): HTMLElement {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const points = values.map((value, at) => `${at},${(high - value) / (high - low || 1)}`)
  const texts = values.map(
    (value, at) => `${formatValue(rows[at]!['month'], 'month')}: ${formatValue(value, 'money')}`,
  )
  const viewBox = `0 0 ${values.length - 1} 1`
  const title = svg('title', {}, texts.join('\n'))
  const line = svg('polyline', { points: points.join(' ') })
  const properties = { viewBox, preserveAspectRatio: 'none', role: 'img' }
  return h('dd', { className: 'months' }, svg('svg', properties, title, line))
}

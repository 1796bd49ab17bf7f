/** The reports behind the cards: which lists what a metric sums up, and which has its months. */
import { queryString, requestJson } from './api.ts'
import { h, svg } from './dom.ts'
import { formatValue } from './format.ts'
import type { Row } from './read-rows.ts'

/** By the beginning of a metric's code, the report that lists what it sums up. */
const REPORTS: Readonly<Record<string, string>> = {
  income: 'income_by_category',
  expenses: 'expenses_by_category',
  profit: 'profit_loss',
  account_balance: 'cash_flow',
  receivables: 'receivables',
  payables: 'payables',
  cash_gap: 'payment_calendar',
  deal: 'deals_by_manager',
  average_deal: 'deals_by_manager',
  stock_value: 'stock_balance',
  stock_below_minimum: 'stock_below_minimum',
  stock_turnover: 'stock_turnover',
  tasks: 'tasks_by_assignee',
  requests: 'requests_by_channel',
}

/** By report and metric, the columns whose sum is the value of a month. */
const MONTHS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  profit_loss: { income: 'income', expenses: 'cost_of_goods operating_expenses', profit: 'profit' },
  cash_flow_by_month: { account_balance: 'closing' },
}

/** Undefined for metrics of another product. */
export function reportOf(metric: string): string | undefined {
  return REPORTS[Object.keys(REPORTS).find(code => metric.startsWith(code)) ?? '']
}

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
  for (const [report, figures] of Object.entries(MONTHS)) {
    if (!listed.has(report)) continue
    const { rows } = await requestJson<{ rows: Row[] }>(`/reports/${report}${query}`, signal)
    for (const [metric, columns] of Object.entries(figures)) {
      const valueOf = (row: Row): number =>
        columns.split(' ').reduce((sum, key) => sum + Number(row[key]), 0)
      if (rows.length > 1) cards.get(metric)?.append(monthsElement(rows, rows.map(valueOf)))
    }
  }
}

/** A line without axes, whose figures are its text. */
function monthsElement(rows: readonly Row[], values: readonly number[]): HTMLElement {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const yOf = (value: number): number => 27 - (26 * (value - low)) / (high - low || 1)
  const points = values.map((value, at) => `${(at * 100) / (values.length - 1)},${yOf(value)}`)
  const texts = values.map(
    (value, at) => `${formatValue(rows[at]!['month'], 'month')}: ${formatValue(value, 'money')}`,
  )
  const drawing = svg(
    'svg',
    { viewBox: '0 0 100 28', preserveAspectRatio: 'none', role: 'img' },
    svg('title', {}, texts.join('\n')),
    svg('line', { x2: 100, y1: yOf(0), y2: yOf(0) }),
    svg('polyline', { points: points.join(' ') }),
  )
  return h('dd', { className: 'months' }, drawing)
}

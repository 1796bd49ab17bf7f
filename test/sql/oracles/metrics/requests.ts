/** Oracle of the metrics of customer requests. */
import type { MetricsOracle } from '../oracle.ts'
import { requestFigures } from '../request-facts.ts'

export const oracle: MetricsOracle = (rows, question) => {
  const figures = requestFigures(rows.requests, question)
  return {
    requests_open: figures.open,
    requests_received: figures.received,
    requests_first_answer_hours: figures.first_answer_median,
    requests_within_promise: figures.within_promise,
  }
}

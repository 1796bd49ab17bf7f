/** Oracle of the metrics of deals. */
import { dealFigures } from '../deal-facts.ts'
import type { MetricsOracle } from '../oracle.ts'

export const oracle: MetricsOracle = (rows, question) => {
  const figures = dealFigures(rows.deals, question)
  return {
    deals_open: figures.open,
    deals_open_amount: figures.open_amount,
    deals_won: figures.won,
    deals_won_amount: figures.won_amount,
    deal_conversion: figures.win_rate,
    average_deal: figures.average_deal,
  }
}

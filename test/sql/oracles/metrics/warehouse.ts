/** Oracle of the metrics of the warehouse: each is a total of a report or its number of rows. */
import type { MetricsOracle } from '../oracle.ts'
import { oracle as stockBalance } from '../reports/warehouse/stock_balance.ts'
import { oracle as stockBelowMinimum } from '../reports/warehouse/stock_below_minimum.ts'
import { oracle as stockTurnover } from '../reports/warehouse/stock_turnover.ts'

export const oracle: MetricsOracle = (rows, question) => ({
  stock_value: stockBalance(rows, question).totals['value'] ?? null,
  stock_below_minimum: BigInt(stockBelowMinimum(rows, question).rows.length),
  stock_turnover_days: stockTurnover(rows, question).totals['turnover_days'] ?? null,
})

/** Every oracle by the code of its report, or by the area of its metrics. */
import { cashFlow } from './cash_flow.ts'
import { dealsMetrics } from './deals.ts'
import { financeMetrics } from './finance.ts'
import { operations } from './operations.ts'
import type { MetricsOracle, ReportOracle } from './oracle.ts'
import { profitLoss } from './profit_loss.ts'
import { requestsByChannel } from './requests_by_channel.ts'
import { requestsMetrics } from './requests.ts'
import { salesFunnel } from './sales_funnel.ts'
import { stockBalance } from './stock_balance.ts'
import { tasksByAssignee } from './tasks_by_assignee.ts'
import { tasksMetrics } from './tasks.ts'
import { warehouseMetrics } from './warehouse.ts'

export const REPORT_ORACLES: ReadonlyMap<string, ReportOracle> = new Map([
  ['profit_loss', profitLoss],
  ['cash_flow', cashFlow],
  ['operations', operations],
  ['sales_funnel', salesFunnel],
  ['stock_balance', stockBalance],
  ['tasks_by_assignee', tasksByAssignee],
  ['requests_by_channel', requestsByChannel],
])

export const METRICS_ORACLES: ReadonlyMap<string, MetricsOracle> = new Map([
  ['finance', financeMetrics],
  ['deals', dealsMetrics],
  ['warehouse', warehouseMetrics],
  ['tasks', tasksMetrics],
  ['requests', requestsMetrics],
])

/** Every identity of ours. */
import { BALANCE_SHEET } from './balance-sheet.ts'
import { CALENDAR } from './calendar.ts'
import { CASH } from './cash.ts'
import { DEALS } from './deals.ts'
import { DEBTS } from './debts.ts'
import type { Identity } from './identity.ts'
import { PROFIT } from './profit.ts'
import { REQUESTS } from './requests.ts'
import { SALES } from './sales.ts'
import { STOCK } from './stock.ts'
import { TASKS } from './tasks.ts'

export const IDENTITIES: readonly Identity[] = [
  ...PROFIT,
  ...CASH,
  ...DEBTS,
  ...CALENDAR,
  ...BALANCE_SHEET,
  ...STOCK,
  ...SALES,
  ...DEALS,
  ...TASKS,
  ...REQUESTS,
]

/** Every identity of ours. */
import type { Catalog } from '../../../src/definitions/definition.ts'
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

const IDENTITIES: readonly Identity[] = [
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

/** @throws Error where one needs a report that is not there. */
export function identitiesOf(catalog: Catalog): readonly Identity[] {
  return IDENTITIES.filter(({ name, reports }) => {
    const missing = reports.filter(code => !catalog.reports.has(code))
    if (missing.length > 0) return false // until the catalogue is whole
    if (missing.length > 0) throw new Error(`«${name}» needs the report ${missing.join(', ')}`)
    return true
  })
}

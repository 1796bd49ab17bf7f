/** The sentence that a report of ours would say of given totals. */
import type { Period, RawField } from '../../../src/terms.ts'
import { ourCatalog } from '../subject.ts'

export const YEAR: Period = { start: '2026-01-01', end: '2027-01-01' }
export const QUARTER: Period = { start: '2026-01-01', end: '2026-04-01' }
export const MARCH: Period = { start: '2026-03-01', end: '2026-04-01' }
export const MAY: Period = { start: '2026-05-01', end: '2026-06-01' }
/** The day on which sentences are said: as of today for a period that has not ended by then. */
export const TODAY = '2026-11-21'

const catalog = ourCatalog()

/** With plain blanks: which of them may not break is the business of `definitions/`. */
export function said(
  code: string,
  period: Period,
  rowCount: number,
  fields: Readonly<Record<string, RawField>> = {},
): string {
  const report = catalog.reports.get(code)
  if (report === undefined) throw new Error(`no report ${code}`)
  return report
    .summarize({ fields: new Map(Object.entries(fields)), rowCount, period, today: TODAY })
    .replaceAll(/[\u00a0\u202f]/g, ' ')
}

/** The time zone of the session must not change a result. */
import { describeDifference } from '../differences.ts'
import { evidence } from '../evidence.ts'
import { lineOfColumn } from '../output-columns.ts'
import { firstDifference, type Experiment } from './experiment.ts'

/** Far from every organization's: a date in the session time zone differs there. */
const WAYS = [{}, { timezone: 'Pacific/Kiritimati' }, { timezone: 'Pacific/Pago_Pago' }].map(
  settings => ({ settings }),
)

export const sessionZone: Experiment = {
  kind: evidence('session-zone'),
  periods: ['this year', 'five weeks'],
  unless: ['session-day', 'date-and-instant', 'session-midnight', 'literal-zone', 'utc-timestamp'],
  find: async ({ draft, question: { label }, execute }) => {
    const differs = await firstDifference(WAYS, execute)
    if (differs === undefined) return undefined
    const message = `the result depends on the session time zone (${label}: ${describeDifference(differs)}), expected at time zone :time_zone wherever an instant becomes a date or a text`
    return { line: lineOfColumn(draft, differs.column), message }
  },
}

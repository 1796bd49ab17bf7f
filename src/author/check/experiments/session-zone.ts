/** The time zone of the session must not change a result. */
import type { RawField } from '../../../model/terms.ts'
import { OID } from '../../../serve/report/result-columns.ts'
import { lineOfColumn } from '../output-columns.ts'
import type { QueryResult } from '../session.ts'
import { firstDifference, type Experiment } from './experiment.ts'

/** Far from every organization's: a date in the session time zone differs there. */
const WAYS = [{}, { timezone: 'Pacific/Kiritimati' }, { timezone: 'Pacific/Pago_Pago' }].map(
  settings => ({ settings }),
)

export const sessionZone: Experiment = {
  id: 'session-zone',
  periods: ['this year', 'five weeks'],
  unless: ['session-day', 'date-and-instant', 'session-midnight', 'literal-zone', 'utc-timestamp'],
  find: async trial => {
    const differs = await firstDifference(WAYS, {
      ...trial,
      execute: async way => inUtc(await trial.execute(way)),
    })
    if (differs === undefined) return undefined
    const { draft, question } = trial
    const message = `the result depends on the session time zone (${question.label}: ${differs.text}), expected at time zone :time_zone wherever an instant becomes a date or a text`
    return { line: lineOfColumn(draft, differs.column), message }
  },
}

/** With instants as a session in UTC prints them. */
function inUtc({ fields, rows, rowCount }: QueryResult): QueryResult {
  const isInstant = fields.map(({ typeId }) => typeId === OID.TIMESTAMPTZ)
  const own = rows.map(row => row.map((value, at) => (isInstant[at] ? utc(value) : value)))
  return { fields, rows: own, rowCount }
}

function utc(value: RawField): RawField {
  const ms = Date.parse(value ?? '')
  return Number.isNaN(ms) ? value : new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00')
}

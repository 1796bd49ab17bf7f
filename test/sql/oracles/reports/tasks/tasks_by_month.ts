/** Oracle of the report `tasks_by_month`: each month is a period of its own. */
import { asOf, earlier, later, localDate, microseconds, monthName, months } from '../../calendar.ts'
import { dayAfter, firstDay } from '../../month-days.ts'
import { field } from '../../oracle.ts'
import type { ReportOracle } from '../../oracle.ts'
import { taskFigures } from '../../task-facts.ts'

export const oracle: ReportOracle = (rows, question) => {
  const { period, today, timeZone } = question
  const totals = { month: null, ...taskFigures(rows.tasks, question) }
  const [first] = rows.tasks
    .map(task => localDate(microseconds(field(task, 'created_at')), timeZone))
    .toSorted()
  const day = asOf(period, today)
  if (first === undefined || day < period.start) return { rows: [], totals }
  return {
    rows: months(later(period.start, first), day).map(month => {
      const part = {
        start: later(period.start, firstDay(month)),
        end: earlier(period.end, dayAfter(month)),
      }
      const figures = taskFigures(rows.tasks, { ...question, period: part })
      return Object.assign({ month_name: monthName(month), month }, figures)
    }),
    totals,
  }
}

/** Oracle of the report `tasks_by_month`: each month is a separate period. */
import {
  dayAfter,
  earlier,
  firstDay,
  later,
  localDate,
  microseconds,
  monthName,
} from '../../calendar.ts'
import { factMonths } from '../../moments.ts'
import { field, type ReportOracle } from '../../oracle.ts'
import { taskFigures } from '../../task-facts.ts'

export const oracle: ReportOracle = (rows, question) => {
  const { period, timeZone } = question
  const created = rows.tasks.map(task =>
    localDate(microseconds(field(task, 'created_at')), timeZone),
  )
  return {
    rows: factMonths(created, question).map(month => {
      const part = {
        start: later(period.start, firstDay(month)),
        end: earlier(period.end, dayAfter(month)),
      }
      const figures = taskFigures(rows.tasks, { ...question, period: part })
      return Object.assign({ month_name: monthName(month), month }, figures)
    }),
    totals: taskFigures(rows.tasks, question),
  }
}

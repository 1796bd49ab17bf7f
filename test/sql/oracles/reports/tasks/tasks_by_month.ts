/** Oracle of the report `tasks_by_month`: each month is a separate period. */
import { dayAfter, dayOf, earlier, factMonths, firstDay, later, monthName } from '../../calendar.ts'
import type { ReportOracle } from '../../oracle.ts'
import { taskFigures } from '../../task-facts.ts'

export const oracle: ReportOracle = (rows, question) => {
  const { period, timeZone } = question
  const created = rows.tasks.map(task => dayOf(task, 'created_at', timeZone))
  return {
    rows: factMonths(created, question).map(month => {
      const start = later(period.start, firstDay(month))
      const part = { start, end: earlier(period.end, dayAfter(month)) }
      const figures = taskFigures(rows.tasks, { ...question, period: part })
      return { month_name: monthName(month), month, ...figures }
    }),
    totals: taskFigures(rows.tasks, question),
  }
}

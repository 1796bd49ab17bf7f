/** Oracle of the metrics of tasks. */
import type { MetricsOracle } from '../oracle.ts'
import { taskFigures } from '../task-facts.ts'

export const oracle: MetricsOracle = (rows, question) => {
  const { open, overdue, on_time } = taskFigures(rows.tasks, question)
  return { tasks_open: open, tasks_overdue: overdue, tasks_on_time: on_time }
}

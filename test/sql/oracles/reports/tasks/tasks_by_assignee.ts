/** Oracle of the report `tasks_by_assignee`. */
import { count } from '../../arithmetic.ts'
import { grouped, nameIn } from '../../grouped.ts'
import type { ReportOracle } from '../../oracle.ts'
import { taskFigures } from '../../task-facts.ts'

export const oracle: ReportOracle = (rows, question) =>
  grouped({
    facts: rows.tasks,
    column: 'assignee_id',
    nameOf: nameIn(rows.employees, 'full_name', 'Не назначен'),
    label: 'assignee',
    figuresOf: tasks => taskFigures(tasks, question),
    measure: 'done',
    summaryValues: lines => ({
      assignees: count(lines.filter(({ id, done }) => id !== null && done > 0n)),
    }),
  })

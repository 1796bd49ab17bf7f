/** Oracle of the report `tasks_by_assignee`. */
import { grouped, nameIn } from '../../grouped.ts'
import { byId, type ReportOracle } from '../../oracle.ts'
import { taskFigures } from '../../task-facts.ts'

export const oracle: ReportOracle = (rows, question) =>
  grouped({
    facts: rows.tasks,
    column: 'assignee_id',
    nameOf: nameIn(byId(rows.employees), 'full_name', 'Не назначен'),
    label: 'assignee',
    figuresOf: tasks => taskFigures(tasks, question),
    measure: figures => figures.done,
    summaryValues: lines => ({
      assignees: BigInt(lines.filter(({ id, figures }) => id !== null && figures.done > 0n).length),
    }),
  })

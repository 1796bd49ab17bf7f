/** Oracle of the report `tasks_by_assignee`. */
import { byId, field, maybe } from './oracle.ts'
import type { ReportOracle } from './oracle.ts'
import { byIdentity, byName, descending, inOrder } from './order.ts'
import { taskFigures } from './task-facts.ts'

export const tasksByAssignee: ReportOracle = (rows, question) => {
  const employees = byId(rows.employees)
  const ids = [...new Set(rows.tasks.map(task => maybe(task, 'assignee_id')))]
  const lines = ids.map(id => {
    const employee = employees.get(id ?? '')
    return {
      id,
      assignee: employee === undefined ? 'Не назначен' : field(employee, 'full_name'),
      figures: taskFigures(
        rows.tasks.filter(task => maybe(task, 'assignee_id') === id),
        question,
      ),
    }
  })
  return {
    rows: lines
      .filter(({ figures }) => Object.values(figures).some(value => value !== 0n && value !== null))
      .toSorted(
        inOrder(
          descending(line => line.figures.done),
          byName(line => line.assignee),
          byIdentity(line => line.id),
        ),
      )
      .map(({ assignee, figures }) => Object.assign({ assignee }, figures)),
    totals: taskFigures(rows.tasks, question),
  }
}

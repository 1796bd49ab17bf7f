/** Figures of a list of tasks, for oracles. */
import { percent } from './arithmetic.ts'
import { asOf, localDate, microseconds } from './calendar.ts'
import { dateOf, happened, openAt } from './moments.ts'
import { field, maybe, type Question, type RawRow } from './oracle.ts'

export function taskFigures(tasks: readonly RawRow[], question: Question) {
  const { period, today, timeZone } = question
  const all = tasks.map(row => {
    const completed = dateOf(row, 'completed_at', timeZone)
    const cancelled = dateOf(row, 'cancelled_at', timeZone)
    return {
      created: localDate(microseconds(field(row, 'created_at')), timeZone),
      due: maybe(row, 'due_on'),
      completed,
      cancelled,
      ended: completed ?? cancelled,
    }
  })
  const count = (condition: (task: (typeof all)[number]) => boolean) =>
    BigInt(all.filter(condition).length)
  const isOpen = (task: (typeof all)[number]) => openAt(period.end, task.created, task.ended)
  const doneWithDue = count(task => happened(task.completed, question) && task.due !== null)
  const doneOnTime = count(
    task =>
      happened(task.completed, question) &&
      task.due !== null &&
      task.completed !== null &&
      task.completed <= task.due,
  )
  return {
    at_start: count(task => openAt(period.start, task.created, task.ended)),
    created: count(task => happened(task.created, question)),
    done: count(task => happened(task.completed, question)),
    cancelled: count(task => happened(task.cancelled, question)),
    open: count(isOpen),
    overdue: count(task => isOpen(task) && task.due !== null && task.due < asOf(period, today)),
    done_with_due: doneWithDue,
    done_on_time: doneOnTime,
    on_time: percent(doneOnTime, doneWithDue),
  }
}

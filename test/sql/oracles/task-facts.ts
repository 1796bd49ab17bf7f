/** Figures of a list of tasks, for oracles. */
import { count, percent } from './arithmetic.ts'
import { asOf, dateOf, dayOf, happened, openAt } from './calendar.ts'
import { maybe, type Question, type RawRow } from './oracle.ts'

export function taskFigures(tasks: readonly RawRow[], question: Question) {
  const { period, today, timeZone } = question
  const all = tasks.map(row => ({
    created: dayOf(row, 'created_at', timeZone),
    due: maybe(row, 'due_on'),
    completed: dateOf(row, 'completed_at', timeZone),
    cancelled: dateOf(row, 'cancelled_at', timeZone),
  }))
  const openOn = (day: string) =>
    all.filter(task => openAt(day, task.created, task.completed ?? task.cancelled))
  const open = openOn(period.end)
  const done = all.filter(task => happened(task.completed, question))
  const withDue = done.filter(({ due }) => due !== null)
  const onTime = withDue.filter(({ completed, due }) => completed! <= due!)
  return {
    at_start: count(openOn(period.start)),
    created: count(all.filter(task => happened(task.created, question))),
    done: count(done),
    cancelled: count(all.filter(task => happened(task.cancelled, question))),
    open: count(open),
    overdue: count(open.filter(({ due }) => due !== null && due < asOf(period, today))),
    done_with_due: count(withDue),
    done_on_time: count(onTime),
    on_time: percent(count(onTime), count(withDue)),
  }
}

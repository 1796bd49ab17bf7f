/** Tasks and customer requests of a generated organization. */
import { addDays, asOf, microseconds } from '../oracles/calendar.ts'
import { instant } from './moments.ts'
import type { Setting } from './setting.ts'
import type { Generated } from './tables.ts'

export function generateTasks(setting: Setting, employees: readonly Generated[]): Generated[] {
  const { some, chance, maybe, moment, laterThan, name, reference, date, pick, question } = setting
  const lastDay = asOf(question.period, question.today)
  const dueOn = () => (chance(0.3) ? addDays(lastDay, pick([-1, 0, 1])) : date())
  return some(25).map(id => {
    const created = moment()
    const ended = maybe(() => instant(laterThan(created)))
    const done = chance(0.75)
    return {
      id,
      title: name(),
      assignee_id: reference(employees),
      created_at: instant(created),
      due_on: maybe(dueOn),
      completed_at: done ? ended : null,
      cancelled_at: done ? null : ended,
    }
  })
}

export function generateRequests(
  setting: Setting,
  employees: readonly Generated[],
  counterparties: readonly Generated[],
) {
  const { some, maybe, moment, laterThan, name, reference, pick, question } = setting
  const now = microseconds(question.now)
  const channels: Generated[] = some(4).map(id => ({
    id,
    name: name(),
    promise_minutes: maybe(() => 60),
  }))
  const requests = some(25).map(id => {
    const received = moment()
    const answered = maybe(() => laterThan(received))
    const promises = [received + 3_600_000_000n, answered ?? received, now]
    return {
      id,
      channel_id: reference(channels),
      assignee_id: reference(employees),
      counterparty_id: reference(counterparties),
      received_at: instant(received),
      promised_at: maybe(() => instant(pick(promises))),
      first_answer_at: answered === null ? null : instant(answered),
      closed_at: maybe(() => instant(laterThan(answered ?? received))),
    }
  })
  return { request_channels: channels, requests }
}

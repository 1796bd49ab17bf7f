/** Figures of a list of customer requests, for oracles. */
import { count, median, ninetieth, percent } from './arithmetic.ts'
import { dateOf, dayOf, happened, HOUR, microseconds, openAt } from './calendar.ts'
import { field, maybe, type Question, type RawRow } from './oracle.ts'

function instant(row: RawRow, name: string): bigint | null {
  const text = maybe(row, name)
  return text === null ? null : microseconds(text)
}

export function requestFigures(requests: readonly RawRow[], question: Question) {
  const { period, now, timeZone } = question
  const all = requests.map(row => ({
    received: dayOf(row, 'received_at', timeZone),
    closed: dateOf(row, 'closed_at', timeZone),
    receivedAt: microseconds(field(row, 'received_at')),
    promisedAt: instant(row, 'promised_at'),
    answeredAt: instant(row, 'first_answer_at'),
  }))
  const received = all.filter(request => happened(request.received, question))
  const waits = received.flatMap(({ receivedAt, answeredAt }) =>
    answeredAt === null ? [] : [answeredAt - receivedAt],
  )
  const due = received.filter(
    ({ answeredAt, promisedAt }) =>
      answeredAt !== null || (promisedAt !== null && promisedAt < microseconds(now)),
  )
  const inTime = due.filter(
    ({ answeredAt, promisedAt }) =>
      answeredAt !== null && promisedAt !== null && answeredAt <= promisedAt,
  )
  return {
    at_start: count(all.filter(request => openAt(period.start, request.received, request.closed))),
    received: count(received),
    closed: count(all.filter(request => happened(request.closed, question))),
    open: count(all.filter(request => openAt(period.end, request.received, request.closed))),
    answered: count(waits),
    first_answer_median: median(waits, HOUR),
    first_answer_p90: ninetieth(waits, HOUR),
    due: count(due),
    in_time: count(inTime),
    within_promise: percent(count(inTime), count(due)),
  }
}

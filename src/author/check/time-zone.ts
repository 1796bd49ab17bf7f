/** A variation: a session in another time zone gives the same answer. */
import type { Finding } from '../../definitions/findings.ts'
import { difference, saidOf, type Difference } from './differences.ts'
import type { Question } from './questions.ts'
import { ask, type Variation, type Varied } from './varied.ts'
import { lineOfColumn } from './written.ts'

/** Half a day away from everybody, to either side: a date that the session decides is another one. */
const FAR = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']

export const timeZone: Variation = async (subject, question, plain) => {
  for (const timezone of FAR) {
    const answer = await ask(subject, question, [], { timezone })
    const differs = answer && difference(plain, answer)
    if (differs !== undefined) return hanging(subject, question, differs)
  }
  return undefined
}

function hanging({ written }: Varied, question: Question, differs: Difference): Finding {
  const message = `the answer hangs on the session's time zone (${question.said}: ${saidOf(differs)}), expected at time zone :time_zone wherever an instant becomes a date or a text`
  return { line: lineOfColumn(written, differs.column), message }
}

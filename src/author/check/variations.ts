/**
 * The proof that an answer hangs on nothing but its organization's rows and the bindings: it is asked again with other
 * organizations away, rows in another physical order, names that are all the same, in another time zone and collation.
 */
import type { Finding } from '../../definitions/findings.ts'
import type { Clock } from '../../model/terms.ts'
import { alone } from './alone.ts'
import { keys } from './keys.ts'
import { collation, namesakes, physicalOrder } from './orders.ts'
import { questionOf, type CheckedOrganization, type NamedPeriod } from './questions.ts'
import type { Answer } from './session.ts'
import { nobody, smallOnes } from './small-organizations.ts'
import type { Prepared } from './subject.ts'
import { timeZone } from './time-zone.ts'
import { answerOf, tablesOf, type Variation } from './varied.ts'

/** What other rules have said already. */
export interface SaidBefore {
  readonly organizations: boolean
  readonly order: boolean
  readonly key: boolean
  readonly timeZone: boolean
}

export interface VariedFindings {
  readonly findings: readonly Finding[]
  /** Rules that PostgreSQL refused to be asked for, or that took too long. */
  readonly unproved: readonly string[]
}

/** One finding of each rule at most. */
export async function checkVariations(
  subject: Prepared,
  organizations: readonly CheckedOrganization[],
  now: Clock,
  said: SaidBefore,
): Promise<VariedFindings> {
  const unproved = new Set<string>()
  const varied = { ...subject, tables: tablesOf(subject) }
  const { few, most } = await smallOnes(subject.session, varied.tables, organizations)
  const strangers = nobody(subject.idType)
  const findings: Finding[] = []
  const plain = new Map<string, Promise<Answer | undefined>>()
  const ask = async (
    what: string,
    rule: Variation,
    whom: readonly CheckedOrganization[],
    named: NamedPeriod[],
  ) => {
    for (const organization of whom) {
      for (const question of named.map(name => questionOf(organization, name, now))) {
        const known = plain.get(question.said) ?? answerOf(varied, question)
        plain.set(question.said, known)
        const answer = await known
        // why: a replica that is slow now is no fault of the definition
        const dropped = () => unproved.add(`${what} (${question.said})`)
        if (answer === undefined) dropped()
        const finding = answer && (await rule({ ...varied, dropped }, question, answer))
        if (finding === undefined) continue
        findings.push(finding)
        return true
      }
    }
    return false
  }
  if (!said.timeZone) await ask('time zone', timeZone, few, ['this year', 'five weeks'])
  // why: what hangs on chance may differ in any variation of rows
  const hangsOnOrder =
    said.order ||
    (await ask('physical order', physicalOrder, most, ['twelve years'])) ||
    (await ask('names that are the same', namesakes, most, NAMESAKE_PERIODS))
  if (!hangsOnOrder && subject.product.hasIcu) {
    await ask('collation', collation, most, NAMESAKE_PERIODS)
  }
  if (!hangsOnOrder && !said.key) await ask('key', keys, most, ['this year', 'twelve years'])
  if (!hangsOnOrder && !said.organizations) {
    await ask(
      'one organization alone',
      alone,
      [...few, ...strangers],
      ['this year', 'twelve years'],
    )
  }
  return { findings, unproved: [...unproved] }
}

/** Of a short one sums are few, or 0, and tie. */
const NAMESAKE_PERIODS: NamedPeriod[] = ['this year', 'twelve years', 'one day']

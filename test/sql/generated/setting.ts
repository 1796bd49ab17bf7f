/** Common to all parts of a generated organization: choices, dates, names and amounts. */
import type { Question } from '../oracles/oracle.ts'
import { momentsOf, type Moments } from './moments.ts'
import { choices, type Choices } from './numbers.ts'
import type { Generated } from './tables.ts'

export interface Setting extends Choices, Moments {
  readonly question: Question
  /** Movements match sales, and visits match deals, as identities between reports need. */
  readonly orderly: boolean
  /** Sales: random, with shares on the borders of ABC, or regular by month for XYZ. */
  readonly sells: 'anyhow' | 'at borders' | 'by month'
  /** It mostly buys machines and goods and borrows, in many categories with equal names. */
  readonly invests: boolean
  /** It has many deals and loses all that end, for few reasons. */
  readonly loses: boolean
  /** It owes and plans nothing, and has overdue receivables. */
  readonly waits: boolean
  readonly name: () => string
  /** Above 0. */
  readonly amount: () => string
  readonly reference: (rows: readonly Generated[], of?: number) => Generated[string]
}

const NAMES = ['Заря', 'заря', 'Ёлка, «ООО»', 'a "b"\nc', '🙂 смайл', 'Zebra', 'Яр', '']

/** Few and small, so that they tie or cancel out. */
const AMOUNTS = ['1', '2', '5', '100', '100', '100', '333', '1500', '99999', '150050']
const EQUAL = ['100', '100', '200']
const HUGE = ['9007199254740993', '250000000000000001', '9223372036854775807']

export function settingOf(seed: number, question: Question): Setting {
  const chosen = choices(seed)
  const { chance, pick } = chosen
  const amounts = pick([AMOUNTS, AMOUNTS, AMOUNTS, [...AMOUNTS, ...HUGE], EQUAL, EQUAL])
  return {
    ...chosen,
    ...momentsOf(chosen, question),
    question,
    orderly: chance(0.65),
    sells: pick(['anyhow', 'anyhow', 'anyhow', 'at borders', 'by month']),
    invests: chance(0.25),
    loses: chance(0.2),
    waits: chance(0.08),
    name: () => pick(NAMES),
    amount: () => pick(amounts),
    reference: (rows, of = 0.7) =>
      rows.length > 0 && chance(of) ? (pick(rows)['id'] ?? null) : null,
  }
}

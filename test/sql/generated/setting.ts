/** What all parts of one generated organization share: its choices, its moments, its names and amounts. */
import type { Question } from '../oracles/oracle.ts'
import { momentsOf } from './moments.ts'
import type { Moments } from './moments.ts'
import { choices } from './numbers.ts'
import type { Choices } from './numbers.ts'
import type { Generated } from './tables.ts'

export interface Setting extends Choices, Moments {
  readonly question: Question
  /** Movements go with their sales, and visits with their deals: what identities between them need. */
  readonly orderly: boolean
  /** How it sells: at random, so that shares fall on the borders of ABC, or regularly by month for XYZ. */
  readonly sells: 'anyhow' | 'at borders' | 'by month'
  /** It buys machines, borrows and buys goods in many ways that are called alike, and does little else. */
  readonly invests: boolean
  /** It has many deals, and loses every one that ends, for few reasons. */
  readonly loses: boolean
  /** It owes and plans nothing, and waits for customers who are late. */
  readonly waits: boolean
  readonly name: () => string
  /** Above 0. */
  readonly amount: () => string
  readonly reference: (rows: readonly Generated[], of?: number) => Generated[string]
}

const NAMES = ['Заря', 'заря', 'Ёлка, «ООО»', 'a "b"\nc', '🙂 смайл', 'Zebra', 'Яр', '']

/** Few and small, so that they tie and cancel. */
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

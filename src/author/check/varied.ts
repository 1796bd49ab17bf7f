/** What every variation of a definition's question is given, and how it asks again. */
import type { Finding } from '../../definitions/findings.ts'
import type { ProductTable } from './product-tables.ts'
import type { Question } from './questions.ts'
import { unlessRefused, type Answer, type Asked } from './session.ts'
import { shadowed, type Shadow } from './shadows.ts'
import { asked, type Prepared } from './subject.ts'

export interface Varied extends Prepared {
  /** Tables of organizations that the statement reads. */
  readonly tables: readonly ProductTable[]
  /** Is told that PostgreSQL refuses a question, or takes too long over it. */
  readonly dropped: () => void
}

/** @param plain the answer as the gateway would give it @returns undefined where another one is the same */
export type Variation = (
  subject: Varied,
  question: Question,
  plain: Answer,
) => Promise<Finding | undefined>

const MOST_MS = 3000

function hurried(asked: Asked): Asked {
  return { ...asked, timeoutMs: Math.min(asked.timeoutMs, MOST_MS) }
}

/** Those that the statement names: visible ones, or with their schema. */
export function tablesOf({ written, product }: Prepared): ProductTable[] {
  return product.tables.filter(table =>
    written.tables.some(({ name, schema }) => {
      return (
        name === table.name && (schema === undefined ? table.isVisible : schema === table.schema)
      )
    }),
  )
}

/** Undefined where PostgreSQL refuses, or takes long: a statement that cannot be asked so is no fault. */
export async function ask(
  subject: Varied,
  question: Question,
  shadows: readonly Shadow[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Answer | undefined> {
  const plain = hurried(asked(subject, question))
  const text = shadowed(plain.text, shadows)
  const answer = await unlessRefused(subject.session.answer({ ...plain, text, settings }))
  if (answer === undefined) subject.dropped()
  return answer
}

export function answerOf(subject: Prepared, question: Question): Promise<Answer | undefined> {
  return unlessRefused(subject.session.answer(hurried(asked(subject, question))))
}

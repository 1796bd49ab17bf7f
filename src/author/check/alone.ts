/** A variation: with no other organization's rows to be seen the answer is the same. */
import type { Finding } from '../../definitions/findings.ts'
import { difference, saidOf, type Difference } from './differences.ts'
import type { ProductTable } from './product-tables.ts'
import type { Question } from './questions.ts'
import { ask, type Variation, type Varied } from './varied.ts'

export const alone: Variation = async (subject, question, plain) => {
  const { id } = question.organization
  const own = (tables: readonly ProductTable[]) =>
    ask(
      subject,
      question,
      tables.map(table => ({ table, organizationId: id })),
    )
  const answer = await own(subject.tables)
  const found = answer && difference(answer, plain)
  // why: rows that tie change places with the plan; that is another rule's
  if (found === undefined || found.isOrderAlone) return undefined
  for (const table of subject.tables) {
    const without = await own([table])
    const differs = without && difference(without, plain)
    if (differs === undefined || differs.isOrderAlone) continue
    const line = subject.written.tables.find(({ name }) => name === table.name)?.line
    return leak(
      subject,
      question,
      line,
      `rows of ${table.name} that are another organization's`,
      differs,
    )
  }
  return leak(subject, question, undefined, 'rows of other organizations', found)
}

function leak(
  { written }: Varied,
  { said }: Question,
  line: number | undefined,
  what: string,
  differs: Difference,
): Finding {
  const message = `the answer takes in ${what} (${said}: ${saidOf(differs)}), expected ${what.startsWith('rows of other') ? "its organization's alone" : 'none of them'}`
  return { line: line ?? written.firstLine, message }
}

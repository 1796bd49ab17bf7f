// What is asked of every definition: this year, for one organization.
import type { Bindings, Definition } from '../../../src/definitions/definition.ts'
import { questions } from '../../sql/subject.ts'
import type { BenchOrganization } from '../product.ts'

/** Their rows are documents: nothing is added up but the totals. */
export const REGISTERS: ReadonlySet<string> = new Set(['operations', 'deals', 'debts'])

export interface Asked {
  readonly text: string
  readonly values: readonly string[]
}

export function thisYear(
  { statement }: Pick<Definition, 'statement'>,
  { id, timeZone }: BenchOrganization,
): Asked {
  const found = questions(Date.now, timeZone).find(({ name }) => name === 'this year')
  if (found === undefined) throw new Error('no question about this year')
  const bindings: Bindings = { organizationId: id, ...found.question }
  return { text: statement.text('uuid'), values: statement.values(bindings) }
}

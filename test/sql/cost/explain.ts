/** Plans of definitions for a request. */
import type { Client } from 'pg'
import type { Definition } from '../../../src/definitions/definition.ts'
import { explainStatement } from '../../../src/author/plans/explain.ts'
import type { Plan } from '../../../src/author/plans/plan.ts'
import type { Question } from '../oracles/oracle.ts'

/** Executes the statement as the gateway does, with bound values, and counts buffers. */
export function explain(
  client: Client,
  { statement }: Pick<Definition, 'statement'>,
  organizationId: string,
  question: Question,
): Promise<Plan> {
  const values = statement.values({ organizationId, ...question })
  return explainStatement(client, statement.text('uuid'), values, { timing: false })
}

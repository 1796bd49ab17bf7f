/** Executes EXPLAIN for a statement. Knows pg's client, not the purpose of the statement. */
import type { ClientBase } from 'pg'
import type { RawField } from '../../model/terms.ts'
import type { Plan } from './plan.ts'
import { readPlan } from './read-plan.ts'

/**
 * Executes the statement.
 * @param values of `$1`, `$2`, ... as text; the plan depends on them, as in the gateway
 * @param timing whether each node is timed, which slows the execution
 * @throws what PostgreSQL or the transport reported
 * @see https://www.postgresql.org/docs/current/sql-explain.html
 */
export async function explainStatement(
  client: ClientBase,
  text: string,
  values: readonly RawField[],
  { timing }: { readonly timing: boolean },
): Promise<Plan> {
  const [raw] = await explained(client, `timing ${timing}, verbose, format json`, text, values)
  return readPlan(raw)
}

/** The plan as PostgreSQL prints it. @throws as `explainStatement` */
export async function explainText(
  client: ClientBase,
  text: string,
  values: readonly RawField[],
): Promise<string> {
  return (await explained(client, 'format text', text, values)).join('\n')
}

async function explained(
  client: ClientBase,
  options: string,
  text: string,
  values: readonly RawField[],
): Promise<unknown[]> {
  const explain = `explain (analyze, buffers, settings, ${options}) ${text}`
  const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(explain, [...values])
  return rows.map(row => row['QUERY PLAN'])
}

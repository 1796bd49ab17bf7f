/** Asks PostgreSQL what it does to answer a statement. Knows pg's client, not what the statement is for. */
import type { ClientBase } from 'pg'
import type { Plan } from './plan.ts'
import { readPlan } from './read-plan.ts'

export interface ExplainOptions {
  /** Whether it is run too, which alone gives real figures; true if not said. */
  readonly analyze?: boolean
  /** Whether each node's time is taken, which makes a run slower; true if not said. */
  readonly timing?: boolean
}

/**
 * @param values of `$1`, `$2`, ... as text; PostgreSQL plans with them, as it does for a run of the gateway
 * @throws what PostgreSQL or the transport reported
 * @see https://www.postgresql.org/docs/current/sql-explain.html
 */
export async function explainStatement(
  client: ClientBase,
  text: string,
  values: readonly string[],
  { analyze = true, timing = true }: ExplainOptions = {},
): Promise<Plan> {
  const run = analyze ? `analyze, buffers, timing ${timing}, ` : ''
  const head = `explain (${run}verbose, settings, format json) `
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`${head}${text}`, [...values])
    return readPlan(rows[0]?.['QUERY PLAN'])
  } catch (error) {
    throw withoutHead(error, head)
  }
}

/** The position that PostgreSQL stumbled at, counted in the statement. */
function withoutHead(error: unknown, { length }: string): unknown {
  const position = Number((error as { position?: string }).position)
  if (position > length) Object.assign(error as Error, { position: String(position - length) })
  return error
}

// A definition as an SQL function: what a rival that exposes functions gets of ours, the tuned statement included.
import type { Client } from 'pg'
import type { ReportDefinition } from '../../../src/definitions/definition.ts'

/** Of functions and their rows; the rival shows this schema and no other. */
export const SCHEMA = 'rival'

/** What a statement may be bound to, as names of arguments, and their types. */
const ARGUMENTS = {
  organization_id: 'uuid',
  period_start: 'date',
  period_end: 'date',
  today: 'date',
  time_zone: 'text',
} as const
export type Argument = keyof typeof ARGUMENTS

/** In the order of `$1`, `$2`, ... */
export function argumentsOf({ statement }: ReportDefinition): Argument[] {
  const names = statement.values({
    organizationId: 'organization_id',
    period: { start: 'period_start', end: 'period_end' },
    today: 'today',
    now: 'now',
    timeZone: 'time_zone',
  })
  const isArgument = (name: string): name is Argument => name in ARGUMENTS
  return names.map(name => {
    if (!isArgument(name)) throw new Error(`a rival cannot be asked with ${name}`)
    return name
  })
}

/** Makes `rival.CODE(...)`, a set of rows: the totals row and the report's. PostgreSQL inlines it into the query. */
export async function createFunction(client: Client, definition: ReportDefinition): Promise<void> {
  const { code, statement } = definition
  const text = statement.text('uuid')
  const names = argumentsOf(definition)
  const nothing = names.map(name => `null::${ARGUMENTS[name]}`)
  await client.query(`prepare described as ${text}`)
  const { rows } = await client.query<{ types: string[] }>(
    `select result_types::text[] as types from pg_prepared_statements where name = 'described'`,
  )
  const { fields } = await client.query(`execute described (${nothing.join(', ')})`)
  const columns = fields.map(({ name }, place) => `"${name}" ${rows[0]?.types[place] ?? ''}`)
  await client.query(`
    deallocate described;
    create type ${SCHEMA}.${code}_row as (${columns.join(', ')});
    create function ${SCHEMA}.${code}(${names.map(name => `${name} ${ARGUMENTS[name]}`).join(', ')})
      returns setof ${SCHEMA}.${code}_row language sql stable
      as $definition$ ${text} $definition$;
    comment on function ${SCHEMA}.${code} is
      '@behavior -queryField:resource:connection +queryField:resource:list';
  `)
}

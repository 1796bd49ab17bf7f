// A definition as an SQL function: what a rival that exposes functions gets of ours, the tuned statement included.
import type { Client } from 'pg'
import type { ReportDefinition } from '../../../src/definitions/definition.ts'
import { ID_TYPE } from '../subject.ts'

/** Of functions and their rows; the rival shows this schema and no other. */
export const SCHEMA = 'rival'

/** What a statement may be bound to. */
const TYPES: Readonly<Record<string, 'uuid' | 'date' | 'text'>> = {
  organization_id: 'uuid',
  period_start: 'date',
  period_end: 'date',
  today: 'date',
  time_zone: 'text',
}

/** In the order of `$1`, `$2`, ... */
export function argumentsOf({ statement }: ReportDefinition) {
  const names = statement.values({
    organizationId: 'organization_id',
    period: { start: 'period_start', end: 'period_end' },
    today: 'today',
    now: 'now',
    timeZone: 'time_zone',
  })
  return names.map(name => {
    const type = TYPES[name]
    if (type === undefined) throw new Error(`a rival cannot be asked with ${name}`)
    return { name, type }
  })
}

/** Makes `rival.CODE(...)`, a set of rows: the totals row and the report's. PostgreSQL inlines it into the query. */
export async function createFunction(client: Client, definition: ReportDefinition): Promise<void> {
  const { code, statement } = definition
  const text = statement.text(ID_TYPE)
  const taken = argumentsOf(definition)
  // why: a table of no rows has the statement's columns and types
  const nothing = text.replaceAll(/\$(\d+)/g, (_, n) => `null::${taken[Number(n) - 1]?.type}`)
  await client.query(`
    create table ${SCHEMA}.${code}_row as select * from (${nothing}) as nothing with no data;
    create function ${SCHEMA}.${code}(${taken.map(({ name, type }) => `${name} ${type}`).join(', ')})
      returns setof ${SCHEMA}.${code}_row language sql stable
      as $definition$ ${text} $definition$;
    comment on function ${SCHEMA}.${code} is
      '@behavior -queryField:resource:connection +queryField:resource:list'`)
}

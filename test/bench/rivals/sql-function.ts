// A definition as an SQL function with its tuned statement, for a rival that exposes functions.
import type { Client } from 'pg'
import type { ReportDefinition } from '../../../src/definitions/definition.ts'
import { ID_TYPE } from '../subject.ts'

/** Schema of the functions and their row types, the only one that the rival exposes. */
export const SCHEMA = 'rival'

/** Bindings that a statement may have. */
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
    if (type === undefined) throw new Error(`an SQL function cannot take ${name}`)
    return { name, type }
  })
}

/** Creates `rival.CODE(...)`, which returns the totals row and the report's rows. PostgreSQL inlines the function. */
export async function createFunction(client: Client, definition: ReportDefinition): Promise<void> {
  const { code, statement } = definition
  const text = statement.text(ID_TYPE)
  const taken = argumentsOf(definition)
  // why: an empty table that is created from the statement has its columns and types
  const nothing = text.replaceAll(/\$(\d+)/g, (_, n) => `null::${taken[Number(n) - 1]?.type}`)
  await client.query(`
    create table ${SCHEMA}.${code}_row as select * from (${nothing}) as nothing with no data;
    create function ${SCHEMA}.${code}(${taken.map(({ name, type }) => `${name} ${type}`).join(', ')})
      returns setof ${SCHEMA}.${code}_row language sql stable
      as $definition$ ${text} $definition$;
    comment on function ${SCHEMA}.${code} is
      '@behavior -queryField:resource:connection +queryField:resource:list'`)
}

/** Finds columns of type real that are cast to numeric and whose statistics have values of more than six digits. */
import type { Finding } from '../../definitions/findings.ts'
import type { ReadColumn } from './column-types.ts'
import type { Session } from './session.ts'

export async function checkCastReals(
  session: Session,
  casts: readonly ReadColumn[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { column, written, line } of casts) {
    const { schema, name } = column.table
    const [row] = await session.rows<{ value: string }>(LOSSES, [schema, name, column.name])
    if (row === undefined) continue
    const message = `${written} is real and has values such as ${row.value}, of which numeric keeps six digits, expected ${written}::text::numeric`
    findings.push({ line, message })
  }
  return findings
}

/** Reads the statistics of `analyze`, not the table. */
const LOSSES = `
select value::text as value
from pg_stats
cross join unnest(
    histogram_bounds::text::real[] || most_common_vals::text::real[]
) as value
where schemaname = $1
  and tablename = $2
  and attname = $3
  and value::numeric <> value::text::numeric
  and value not in ('NaN', 'Infinity', '-Infinity')
limit 1`

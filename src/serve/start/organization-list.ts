/** Checks the command line's list of organizations: its columns, and its time zones. */
import type { OrganizationsDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { readOrganization, InvalidAccessRow } from '../access/access-rows.ts'
import type { ReadRows } from '../database/connection.ts'
import { checkAccessColumns } from './access-columns.ts'

const MAX_FINDINGS = 20

/** @throws what `read` throws */
export async function checkOrganizationList(
  definition: OrganizationsDefinition,
  read: ReadRows,
  timeZoneFault: (timeZone: string) => string | undefined,
): Promise<readonly FileFinding[]> {
  const { file, everyText } = definition
  const { findings } = await checkAccessColumns(definition, read)
  if (findings.length > 0) return findings
  // why: there are about 600 valid names, but every row may have a different invalid one
  const text = `
select min(organization_id), min(organization_id_type), time_zone
from (\n${everyText}\n) as organization
group by time_zone order by time_zone nulls first limit 1000`
  const rows = await read({ text, before: ['set local statement_timeout = 500'] })
  const organizations = rows.map(row => readOrganization(file, row, timeZoneFault))
  const invalid = organizations.filter(row => row instanceof InvalidAccessRow)
  return invalid.slice(0, MAX_FINDINGS).map(({ finding }) => finding)
}

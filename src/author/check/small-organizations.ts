/** Which organizations are small enough to have their rows laid out anew, and one that nobody has. */
import { escapeIdentifier } from 'pg'
import type { ProductTable } from './product-tables.ts'
import type { CheckedOrganization } from './questions.ts'
import type { Session } from './session.ts'

/** Measured: of so many a definition is asked in 20 ms however they lie. */
const FEW = 20_000

export interface SmallOnes {
  readonly few: readonly CheckedOrganization[]
  /** Of those the one with most rows in the tables; none where all are empty. */
  readonly most: readonly CheckedOrganization[]
}

export async function smallOnes(
  session: Session,
  tables: readonly ProductTable[],
  organizations: readonly CheckedOrganization[],
): Promise<SmallOnes> {
  const few: CheckedOrganization[] = []
  let most: { readonly organization: CheckedOrganization; readonly rowCount: number } | undefined
  for (const organization of organizations) {
    const rowCount = await countRows(session, tables, organization.id)
    if (rowCount >= FEW) continue
    few.push(organization)
    if (rowCount > (most?.rowCount ?? 0)) most = { organization, rowCount }
  }
  return { few, most: most === undefined ? [] : [most.organization] }
}

/** No further than tells that they are not few. */
async function countRows(
  session: Session,
  tables: readonly ProductTable[],
  organizationId: string,
): Promise<number> {
  let sum = 0
  for (const { schema, name, organizationColumn } of tables) {
    const [row] = await session.rows<{ number: string }>(
      `select count(*) as number
       from (
           select from ${escapeIdentifier(schema)}.${escapeIdentifier(name)}
           where ${escapeIdentifier(organizationColumn)} = $1
           limit ${FEW}
       ) as first_rows`,
      [organizationId],
    )
    sum += Number(row?.number ?? 0)
    if (sum >= FEW) break
  }
  return sum
}

const IDS_OF_NOBODY: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-00000000dead',
  smallint: '-1',
  integer: '-1',
  bigint: '-1',
  numeric: '-1',
  text: 'nobody at all',
}

/** An organization that does not exist; none where no id can be made up. */
export function nobody(idType: string, timeZone = 'UTC'): CheckedOrganization[] {
  const id = IDS_OF_NOBODY[idType]
  if (id === undefined) return []
  return [{ id, idType, timeZone, entitled: true, nickname: 'that does not exist' }]
}

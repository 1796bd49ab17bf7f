/** Checks a definition on synthetic rows, to find faults that the data do not show. */
import type { Clock } from '../../model/terms.ts'
import { makeRows } from './synthetic-rows.ts'
import { SyntheticRowsError } from './synthetic-records.ts'
import { SYNTHETIC_DAY } from './synthetic-values.ts'
import { questionsOf, EXECUTION_PERIODS, type CheckedOrganization } from './questions.ts'
import { checkExecutions } from './executions.ts'
import { withShadows } from './shadows.ts'
import type { Checked, PreparedSubject } from './subject.ts'
import { checkVariations, type KnownFaults } from './variations.ts'

/** What stays unproved if no synthetic rows can be made. */
export const UNPROVED_BY_ROWS = 'faults that only synthetic rows show'

const now: Clock = () => Date.parse(`${SYNTHETIC_DAY}T12:00:00Z`)

/** @param hasRows whether the tables have rows: these are more realistic, so fewer checks need synthetic ones */
export async function checkSyntheticRows(
  prepared: PreparedSubject,
  hasRows: boolean,
  knownFaults: KnownFaults,
): Promise<Checked> {
  const { parse, idType } = prepared
  const organizations = syntheticOrganizations(idType)
  try {
    const { tables, ctes } = await makeRows(prepared, organizations)
    if (tables.length === 0) return { findings: [], unproved: [] }
    const synthetic = async (text: string) =>
      withShadows(await parse({ text, placeholders: [] }), tables, ctes)
    const subject = { ...prepared, synthetic }
    // why: the second organization exists only to be excluded
    const checkedOrganizations = hasRows ? organizations.slice(0, 1) : organizations
    const periods = hasRows ? (['twelve years'] as const) : EXECUTION_PERIODS
    const { faults } = await checkExecutions(
      subject,
      checkedOrganizations.flatMap(one => questionsOf(one, periods, now)),
    )
    // why: variations would report other symptoms of the same fault
    if (!hasRows && faults.size > 0) return { findings: [...faults.values()], unproved: [] }
    return await checkVariations(subject, checkedOrganizations, now, knownFaults, hasRows)
  } catch (error) {
    if (!(error instanceof SyntheticRowsError)) throw error
    return { findings: [], unproved: [`${UNPROVED_BY_ROWS} (${error.message})`] }
  }
}

/** Organizations of synthetic rows, in distant time zones: their days begin at different instants. */
function syntheticOrganizations(idType: string): CheckedOrganization[] {
  return ['Asia/Kamchatka', 'America/New_York'].map((timeZone, at) => ({
    id: idType === 'uuid' ? `00000000-0000-4000-8000-00000000000${at}` : String(at + 1),
    idType,
    nickname: `${at + 1} of synthetic rows`,
    timeZone,
    entitled: true,
    anchor: SYNTHETIC_DAY,
  }))
}

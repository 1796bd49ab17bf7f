/** Checks a definition on synthetic rows, to find faults that the data do not show. */
import type { Clock } from '../../model/terms.ts'
import { makeRows } from './synthetic-rows.ts'
import { SyntheticRowsError } from './synthetic-records.ts'
import { SYNTHETIC_DAY } from './synthetic-values.ts'
import { questionsOf, EXECUTION_PERIODS, type CheckedOrganization } from './questions.ts'
import { checkExecutions } from './executions.ts'
import { statementOver, type Checked, type PreparedSubject } from './subject.ts'
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
  const organization = syntheticOrganization(prepared.idType)
  try {
    const rowsOf = await makeRows(prepared, organization)
    const statement = statementOver(prepared, rowsOf)
    const subject = { ...prepared, statement, rowsOf, isSynthetic: true }
    const periods = hasRows ? (['twelve years'] as const) : EXECUTION_PERIODS
    const { faults } = await checkExecutions(subject, questionsOf(organization, periods, now))
    // why: variations would report other symptoms of the same fault
    if (!hasRows && faults.size > 0) return { findings: [...faults.values()], unproved: [] }
    return await checkVariations(subject, [organization], now, knownFaults, hasRows)
  } catch (error) {
    if (!(error instanceof SyntheticRowsError)) throw error
    return { findings: [], unproved: [`${UNPROVED_BY_ROWS} (${error.message})`] }
  }
}

/** In a time zone far from UTC: its days begin at other instants. */
function syntheticOrganization(idType: string): CheckedOrganization {
  return {
    id: idType === 'uuid' ? '00000000-0000-4000-8000-000000000001' : '1',
    idType,
    nickname: 'of synthetic rows',
    timeZone: 'Asia/Kamchatka',
    entitled: true,
    anchor: SYNTHETIC_DAY,
  }
}

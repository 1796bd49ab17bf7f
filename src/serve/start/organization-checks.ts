/** Checks the columns and the rows of the command line's file of organizations, and time zones that look-ups have met. */
import type { AccessDefinition, OrganizationsDefinition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { ofReplica } from '../../model/observation.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { InvalidAccessRow, isValidRow } from '../access/invalid-access-row.ts'
import { readOrganization } from '../access/access-row.ts'
import type { KeyDatabases } from '../database/key-databases.ts'
import { checkAccess, checkAccessColumns, type AccessCheck } from './access-columns.ts'
import { createTimeZoneChecks } from './time-zone-checks.ts'

const MAX_FINDINGS = 20
/** Each time zone with one of its organizations, for messages. */
const EACH_TIME_ZONE = 'select min(organization_id), min(organization_id_type), time_zone'
// why: there are about 600 valid names, but every row may have a different invalid one
const FIRST_OF_EACH = 'group by time_zone order by time_zone nulls first limit 1000'
const TIMEOUT = 'set local statement_timeout = 500'
/** After new zones were met, or a check has failed. */
const SOON_MS: Milliseconds = 50
const EVERY_MS: Milliseconds = 60_000

export type OrganizationChecks = ReturnType<typeof createOrganizationChecks>

export function createOrganizationChecks(options: {
  readonly keys: () => Pick<KeyDatabases, 'queryFirstAvailable'>
  readonly observe: Observe
  readonly now: Clock
}) {
  const { keys, observe, now } = options
  /** The database that was asked, and why it did not respond. */
  let failure: { readonly replica: string; readonly message: string } | undefined
  let asked = ''
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  const timeZones = createTimeZoneChecks({
    onDifference: one => ofReplica(observe, asked)({ kind: 'time-zone-differs', ...one }),
    onDue: () => failure === undefined && checkLater(SOON_MS),
    now,
  })

  function checkLater(ms: Milliseconds): void {
    clearTimeout(timer)
    timer = setTimeout(() => void checkTimeZones(), ms).unref()
  }

  /** Never rejects. */
  function checkTimeZones(): Promise<void> {
    checking ??= check()
    return checking
  }

  async function check(): Promise<void> {
    try {
      await keys().queryFirstAvailable((read, replica) => {
        asked = replica
        return timeZones.check(read)
      })
      failure = undefined
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (failure === undefined)
        ofReplica(observe, asked)({ kind: 'access-check-failed', check: 'time zones', error })
      failure = { replica: asked, message: `time zones not checked: ${message}` }
    }
    checking = undefined
    checkLater(EVERY_MS)
  }

  return {
    timeZoneFault: (timeZone: string): string | undefined => timeZones.faultOf(timeZone),
    /** Why time zones cannot be checked in this key database now. */
    failureIn: (replica: string): string | undefined =>
      failure?.replica === replica ? failure.message : undefined,
    checkAccess: (access: AccessDefinition): Promise<AccessCheck> =>
      keys().queryFirstAvailable(read => checkAccess(access, read)),
    /** @returns findings about columns, or at most 20 about time zones @throws as `queryFirstAvailable` */
    checkOrganizations: (definition: OrganizationsDefinition): Promise<readonly FileFinding[]> =>
      keys().queryFirstAvailable(async read => {
        const { findings } = await checkAccessColumns(definition, read)
        if (findings.length > 0) return findings
        const { file, everyText } = definition
        const text = `${EACH_TIME_ZONE} from (\n${everyText}\n) as organization ${FIRST_OF_EACH}`
        const rows = (await read({ text, before: [TIMEOUT] })).map(
          ([id = null, idType, timeZone = null]) =>
            readOrganization(file, { id, idType: idType ?? '', timeZone, entitled: 't' }),
        )
        for (const row of rows) if (isValidRow(row)) timeZones.faultOf(row.timeZone)
        await checkTimeZones()
        const faults = rows.flatMap(row => {
          if (!isValidRow(row)) return [row.fault]
          const fault = timeZones.faultOf(row.timeZone)
          return fault === undefined ? [] : [new InvalidAccessRow(file, row.id, fault).fault]
        })
        return faults.slice(0, MAX_FINDINGS).map(message => ({ file, line: undefined, message }))
      }),
    stop: () => clearTimeout(timer),
  }
}

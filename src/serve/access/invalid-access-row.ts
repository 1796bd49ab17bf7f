/** Rows of the access query that contain no valid organization, and a limit on how often they are reported. */
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

export class InvalidAccessRow extends Error {
  override readonly name = 'InvalidAccessRow'
  /** The file of the query, as in messages. */
  readonly file: string
  /** Undefined if the row has none. */
  readonly organizationId: string | undefined
  /** The subject of messages, such as `organization "1"`. */
  readonly whose: string
  /** The invalid value and the expected one. */
  readonly found: string
  /** `whose` and `found`, joined by a colon. */
  readonly fault: string

  constructor(file: string, organizationId: string | undefined, found: string) {
    const whose =
      organizationId === undefined
        ? 'an organization'
        : `organization ${JSON.stringify(organizationId)}`
    const fault = `${whose}: ${found}`
    super(`${file}: ${fault}`)
    this.file = file
    this.organizationId = organizationId
    this.whose = whose
    this.found = found
    this.fault = fault
  }
}

export function isValidRow<Row extends object>(row: Row | InvalidAccessRow): row is Row {
  return !(row instanceof InvalidAccessRow)
}

const RECENT_MS: Milliseconds = 60_000
/** More organizations are neither reported nor counted. */
const MAX_ORGANIZATIONS = 100

/** Organizations whose rows were invalid recently. Each is reported once a minute. */
export function createInvalidAccessRows(options: {
  readonly observe: Observe
  readonly now: Clock
}) {
  const { observe, now } = options
  const organizations = new Map<
    string | undefined,
    { readonly foundAt: Milliseconds; readonly reportedAt: Milliseconds }
  >()

  function removeOld(): void {
    for (const [id, { foundAt }] of organizations) {
      if (now() - foundAt >= RECENT_MS) organizations.delete(id)
    }
  }

  return {
    note(row: InvalidAccessRow): void {
      const { organizationId } = row
      const at = now()
      removeOld()
      const known = organizations.get(organizationId)
      if (known === undefined && organizations.size >= MAX_ORGANIZATIONS) return
      const isReported = known !== undefined && at - known.reportedAt < RECENT_MS
      const reportedAt = isReported ? known.reportedAt : at
      organizations.set(organizationId, { foundAt: at, reportedAt })
      if (!isReported) observe({ kind: 'access-row-rejected', organizationId, error: row })
    },
    /** Invalid rows of the last minute, at most 100 organizations. */
    count(): number {
      removeOld()
      return organizations.size
    },
  }
}

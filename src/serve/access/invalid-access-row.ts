/** A key's row of the access query that names no organization that can be served, and which were found lately. */
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

export class InvalidAccessRow extends Error {
  override readonly name = 'InvalidAccessRow'
  /** Of the query, as messages name it. */
  readonly file: string
  /** As far as the row tells. */
  readonly organizationId: string | undefined
  /** Whose row it is, what was found and what was expected. */
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
    this.fault = fault
  }
}

export function isValidRow<Row extends object>(found: Row | InvalidAccessRow): found is Row {
  return !(found instanceof InvalidAccessRow)
}

const RECENT_MS: Milliseconds = 60_000
/** More are neither reported nor counted while these are found. */
const MAX_ORGANIZATIONS = 100

/** Organizations whose rows were not valid lately: one report a minute for each. */
export function createInvalidAccessRows(options: {
  readonly observe: Observe
  readonly now: Clock
}) {
  const { observe, now } = options
  const found = new Map<
    string | undefined,
    { foundAt: Milliseconds; readonly reportedAt: Milliseconds }
  >()

  function forgetOld(): void {
    for (const [id, { foundAt }] of found) if (now() - foundAt >= RECENT_MS) found.delete(id)
  }

  return {
    note(row: InvalidAccessRow): void {
      const { organizationId } = row
      const at = now()
      const known = found.get(organizationId)
      if (known !== undefined && at - known.reportedAt < RECENT_MS) {
        known.foundAt = at
        return
      }
      if (found.size >= MAX_ORGANIZATIONS) forgetOld()
      if (known === undefined && found.size >= MAX_ORGANIZATIONS) return
      found.set(organizationId, { foundAt: at, reportedAt: at })
      observe({ kind: 'access-row-rejected', organizationId, error: row })
    },
    /** Of the last minute, at most 100. */
    count(): number {
      forgetOld()
      return found.size
    },
  }
}

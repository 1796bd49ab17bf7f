/** Rows of the access query that contain no valid organization, and a limit on how often they are reported. */
import { LRUCache } from 'lru-cache'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

export class InvalidAccessRow extends Error {
  override readonly name = 'InvalidAccessRow'
  /** The file of the query, as in messages. */
  readonly file: string
  /** Of the organization; undefined if the row has none. */
  readonly id: string | undefined
  /** The invalid value and the expected one. */
  readonly found: string
  /** Such as `organization "1"`. */
  readonly subject: string

  constructor(file: string, id: string | undefined, found: string) {
    const subject = id === undefined ? 'an organization' : `organization ${JSON.stringify(id)}`
    super(`${file}: ${subject}: ${found}`)
    this.subject = subject
    this.file = file
    this.id = id
    this.found = found
  }

  get finding() {
    return { file: this.file, line: undefined, message: `${this.subject}: ${this.found}` }
  }
}

const RECENT_MS: Milliseconds = 60_000
/** More organizations are neither reported nor counted. */
const MAX_ORGANIZATIONS = 100

export type InvalidAccessRows = ReturnType<typeof createInvalidAccessRows>

/** Reports each organization with an invalid row once a minute. */
export function createInvalidAccessRows(observe: Observe, now: Clock) {
  const recent = new LRUCache<string, true>({
    max: MAX_ORGANIZATIONS,
    ttl: RECENT_MS,
    ttlResolution: 0,
    perf: { now },
  })
  return {
    note(row: InvalidAccessRow): void {
      const { subject, id } = row
      if (recent.has(subject) || this.count() === MAX_ORGANIZATIONS) return
      recent.set(subject, true)
      observe({ kind: 'access-row-rejected', organizationId: id, error: row })
    },
    /** Organizations reported in the last minute. */
    count(): number {
      recent.purgeStale()
      return recent.size
    },
  }
}

/** Checks now and then that the role of a pool may write nothing, and remembers what was found. Knows no SQL. */
import { DatabaseError } from 'pg'
import type { ClientBase } from 'pg'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { findWritePrivileges } from './write-privileges.ts'
import type { WritePrivilege } from './write-privileges.ts'

export interface PrivilegeCheck {
  /** Of a new connection; asks the server if that was not done lately. @throws what the transport reports. */
  check(client: ClientBase): Promise<void>
  /** In words; undefined if there is nothing, or it is not known. */
  found(): string | undefined
}

/** A role that has been mended is known as such at the first new connection after this. */
const AGAIN_MS: Milliseconds = 60_000
const SHOWN = 3

export function createPrivilegeCheck(options: {
  readonly timeoutMs: Milliseconds
  readonly observe: Observe
  readonly elapsed?: Clock
}): PrivilegeCheck {
  const { timeoutMs, observe, elapsed = () => performance.now() } = options
  let checkedAt = Number.NEGATIVE_INFINITY
  let words: string | undefined
  return {
    async check(client) {
      if (elapsed() - checkedAt < AGAIN_MS) return
      checkedAt = elapsed()
      try {
        const found = wordsOf(await findWritePrivileges(client, timeoutMs))
        if (found !== words) observe({ kind: 'write-privileges', found })
        words = found
      } catch (error) {
        // why: a role that may not read the catalogs executes its reports all the same
        if (!(error instanceof DatabaseError)) throw error
      }
    },
    found: () => words,
  }
}

/** What was found, and the SQL that takes it away. */
function wordsOf(found: readonly WritePrivilege[]): string | undefined {
  if (found.length === 0) return undefined
  const shown = found.slice(0, SHOWN)
  const more = found.length - shown.length
  const privileges = shown.map(one => one.found).join(', ')
  const sql = shown.map(({ mend }) => mend).join(' ')
  const words = `the role of reports can write (${privileges}${more > 0 ? `, and ${more} more` : ''})`
  return `${words}. Execute on the primary: ${sql}`
}

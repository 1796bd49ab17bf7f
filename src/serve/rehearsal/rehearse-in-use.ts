/** Has the catalog in use planned on the replica, and again later where that could not be asked. */
import type { Catalog } from '../../definitions/definition.ts'
import type { Observe } from '../../model/observation.ts'
import { IdTypeError } from '../replica/key-database.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Rehearsed } from './rehearsed.ts'

/** A rehearsal that the keys' database or the replica did not let happen is tried again. */
const AGAIN_MS: Milliseconds = 10_000
/** Where the gateway is not ready before. */
const FIRST_AGAIN_MS: Milliseconds = 2000

export interface RehearseInUse {
  /** Never fails. */
  now(): Promise<void>
  /** Only where all of the catalog has not been asked about yet. */
  later(): void
}

export function createRehearseInUse(options: {
  readonly rehearsed: Rehearsed
  /** The one in use now. */
  readonly catalog: () => Catalog
  readonly onRehearsed: () => void
  readonly draining: () => boolean
  readonly observe: Observe
}): RehearseInUse {
  const { rehearsed, catalog, onRehearsed, draining, observe } = options
  let timer: NodeJS.Timeout | undefined
  /** The last whose type of id was rejected, which is told once. */
  let rejected: Catalog | undefined

  async function now(): Promise<void> {
    const asked = catalog()
    const refusals = await rehearsed.rehearse(asked)
    for (const { definition, finding, error } of refusals ?? []) {
      const { file, line } = finding
      if (file === asked.access.file) {
        // why: a key look-up that fails is asked again and again, and requests tell of it
        if (!(error instanceof IdTypeError) || rejected === asked) continue
        rejected = asked
      }
      observe({ kind: 'definition-refused', definition, file, line, error })
    }
    if (refusals !== undefined) onRehearsed()
    later()
  }

  function later(): void {
    clearTimeout(timer)
    const state = rehearsed.stateOf(catalog())
    if (typeof state === 'object' || draining()) return
    const waitMs = state === 'not yet' ? FIRST_AGAIN_MS : AGAIN_MS
    timer = setTimeout(() => void now(), waitMs).unref()
  }

  return { now, later }
}

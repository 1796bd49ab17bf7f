/** One look-up of keys at one database, and what may be done about one that failed. Knows no other database. */
import type { KeyHash } from '../access/api-key.ts'
import type { FoundByKey } from '../access/organization-lookup.ts'
import { classify, isBusy, isSilence } from './classify-error.ts'
import type { Remedy } from './classify-error.ts'
import type { KeyCircuit } from './key-circuit.ts'
import type { KeyDatabase } from './key-database.ts'
import { KeysLagError } from './key-lag.ts'

export interface AskedPlace {
  readonly database: Pick<KeyDatabase, 'find'>
  readonly circuit: Pick<KeyCircuit, 'answered' | 'failed'>
}

/** Where a connection broke, once more on another. @throws what pg or the transport reports, KeysLagError. */
export async function askAt(
  place: AskedPlace,
  hashes: readonly KeyHash[],
  isWanted: () => boolean,
  isAgain = false,
): Promise<FoundByKey> {
  const { database, circuit } = place
  try {
    const found = await database.find(hashes)
    circuit.answered()
    return found
  } catch (error) {
    if (remedyOf(error) !== 'transport') throw error
    const silent = isSilence(error)
    // why: it may have been one connection, and the next database know less of what is revoked
    if (isAgain || silent || !isWanted()) {
      circuit.failed(error, silent)
      throw error
    }
    // why: where the server has ended others, too, the pool has heard of it by then
    await new Promise(resolve => setImmediate(resolve))
    return askAt(place, hashes, isWanted, true)
  }
}

/** KeysLagError has none: it is no error of the database's. */
export function remedyOf(error: unknown): Remedy | undefined {
  if (error instanceof KeysLagError) return undefined
  return isBusy(error) ? 'elsewhere' : classify(error).remedy
}

/**
 * Plans every statement once without executing it: what cannot be executed on this replica is known before a
 * client asks for it, and the first report finds the catalogs read (measured: 18 ms instead of 40).
 */
import type { FieldDef, Pool } from 'pg'
import type { FileFinding } from '../../definitions/findings.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError } from './classify-error.ts'
import { withConnection } from './connection.ts'
import type { Field } from './prepared.ts'
import { readOnlyRows } from './row-query.ts'

export interface Rehearsal {
  /** `Definition.name`. */
  readonly name: string
  readonly text: string
  /** How many `$n` the text has; each is bound to null. */
  readonly valueCount: number
  /** Throws where the columns are not what the definition declares. */
  readonly check: (fields: readonly Field[]) => void
  /** What an error says of the definition's file. */
  readonly faultOf: (error: unknown) => FileFinding
}

const TIMEOUT_MS: Milliseconds = 5000

/** A definition that cannot be executed on this replica. */
export interface Refusal {
  /** `Definition.name`. */
  readonly definition: string
  readonly finding: FileFinding
  readonly error: unknown
}

/**
 * The statements that were refused; undefined if the replica is unavailable.
 * @throws what a connection cannot be had for
 */
export function rehearse(
  pool: Pool,
  rehearsals: readonly Rehearsal[],
): Promise<readonly Refusal[] | undefined> {
  return withConnection(pool, async client => {
    const refused: Refusal[] = []
    for (const { name, text, valueCount, check, faultOf } of rehearsals) {
      const values = Array.from<null>({ length: valueCount }).fill(null)
      let fields: readonly FieldDef[] = []
      const onFields = (found: readonly FieldDef[]): void => void (fields = found)
      try {
        // why: `limit 0` has all of it planned and described, and none of it executed, but functions declared immutable
        const planned = { text: `${HEAD}${text}${TAIL}`, values, onFields }
        await readOnlyRows(client, TIMEOUT_MS, planned)
        check(fields.map(field => ({ name: field.name, typeId: field.dataTypeID })))
      } catch (error) {
        if (classifyError(error).code === 'replica_unavailable') return undefined
        refused.push({ definition: name, finding: faultOf(inText(error)), error })
      }
    }
    return refused
  })
}

const HEAD = 'select * from (\n'
const TAIL = '\n) as rehearsal limit 0'

/** Positions count from the statement's own beginning. */
function inText(error: unknown): unknown {
  const placed = error as { position?: string }
  if (placed.position !== undefined) placed.position = String(Number(placed.position) - HEAD.length)
  return error
}

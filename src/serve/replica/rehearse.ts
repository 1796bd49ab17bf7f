/**
 * Every statement planned once, for nobody: what does not run on this replica is known before a
 * client asks for it, and the first report finds the catalogs read (measured: 18 ms instead of 40).
 */
import type { ClientBase, FieldDef, Pool } from 'pg'
import type { FileFinding } from '../../definitions/findings.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError } from './classify-error.ts'
import { isIdle } from './connection-state.ts'
import { within } from './pool.ts'
import type { Field } from './prepared.ts'
import { readOnlyRows } from './read-only-rows.ts'

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

/** A definition that does not run on this replica. */
export interface Refusal {
  /** `Definition.name`. */
  readonly definition: string
  readonly finding: FileFinding
  readonly error: unknown
}

/**
 * The statements that were refused; undefined if the replica went away.
 * @throws what a connection cannot be had for
 */
export async function rehearse(
  pool: Pool,
  rehearsals: readonly Rehearsal[],
): Promise<readonly Refusal[] | undefined> {
  const client = await pool.connect()
  const refused: Refusal[] = []
  let lost: Error | undefined
  for (const { name, text, valueCount, check, faultOf } of rehearsals) {
    const values = Array.from<null>({ length: valueCount }).fill(null)
    try {
      // why: `limit 0` has all of it planned and described, and none of it run
      const fields = await within(TIMEOUT_MS, client, () =>
        fieldsOf(client, `${HEAD}${text}${TAIL}`, values),
      )
      check(fields.map(field => ({ name: field.name, typeId: field.dataTypeID })))
    } catch (error) {
      if (classifyError(error).code === 'replica_unavailable') lost = error as Error
      if (lost) break
      refused.push({ definition: name, finding: faultOf(inText(error)), error })
    }
  }
  client.release(lost ?? !isIdle(client))
  if (lost) return undefined
  return refused
}

/** @throws what PostgreSQL or the transport reported. */
async function fieldsOf(
  client: ClientBase,
  text: string,
  values: readonly null[],
): Promise<readonly FieldDef[]> {
  let fields: readonly FieldDef[] = []
  const asked = { name: undefined, text, values }
  // why: to plan a statement executes functions that are declared immutable
  await readOnlyRows(client, asked, ignore, found => void (fields = found))
  return fields
}

function ignore(): void {}

const HEAD = 'select * from (\n'
const TAIL = '\n) as rehearsal limit 0'

/** Positions count from the statement's own beginning. */
function inText(error: unknown): unknown {
  const placed = error as { position?: string }
  if (placed.position !== undefined) placed.position = String(Number(placed.position) - HEAD.length)
  return error
}

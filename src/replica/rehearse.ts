/**
 * Every statement planned once, for nobody: what does not run on this replica is known before a
 * client asks for it, and the first report finds the catalogs read (measured: 18 ms instead of 40).
 */
import type { Pool } from 'pg'
import type { Observe } from '../observation.ts'
import type { Milliseconds } from '../terms.ts'
import { classifyError } from './classify-error.ts'
import { within } from './pool.ts'
import type { Field } from './run-statement.ts'

export interface Rehearsal {
  /** `Definition.name`. */
  readonly name: string
  readonly file: string
  readonly text: string
  /** How many `$n` the text has; each is bound to null. */
  readonly valueCount: number
  /** Throws where the columns are not what the definition declares. */
  readonly check: (fields: readonly Field[]) => void
}

const TIMEOUT_MS: Milliseconds = 5000

/** The number of statements that were refused, each observed; undefined if the replica went away. */
export async function rehearse(
  pool: Pool,
  rehearsals: readonly Rehearsal[],
  observe: Observe,
): Promise<number | undefined> {
  const client = await pool.connect().catch(() => undefined)
  if (!client) return undefined
  const refused: Array<Parameters<Observe>[0]> = []
  let lost: Error | undefined
  for (const { name, file, text, valueCount, check } of rehearsals) {
    const values = Array.from<null>({ length: valueCount }).fill(null)
    try {
      // why: `limit 0` has all of it planned and described, and none of it run
      const planned = await within(TIMEOUT_MS, client, () =>
        client.query({ text: `${HEAD}${text}${TAIL}`, values }),
      )
      check(planned.fields.map(field => ({ name: field.name, typeId: field.dataTypeID })))
    } catch (error) {
      if (classifyError(error).code === 'replica_unavailable') lost = error as Error
      if (lost) break
      refused.push({
        kind: 'definition-refused',
        definition: name,
        file,
        near: near(text, error),
        error,
      })
    }
  }
  client.release(lost)
  if (lost) return undefined
  for (const fact of refused) observe(fact)
  return refused.length
}

const HEAD = 'select * from (\n'
const TAIL = '\n) as rehearsal limit 0'

/** The line of SQL at which PostgreSQL stumbled. */
function near(text: string, error: unknown): string | undefined {
  const position = Number((error as { position?: string }).position)
  if (!Number.isInteger(position)) return undefined
  const before = text.slice(0, position - HEAD.length - 1)
  return text.split('\n')[before.split('\n').length - 1]?.trim()
}

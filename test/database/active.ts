/** Statements that the server executes for the pool of reports. */
import { run } from '../harness/shops.ts'

export const LATCH = 20_261_122
/** Waits until the session that holds the latch releases it. */
export const WAITS_FOR_LATCH = `select set_config('lock_timeout', '0', true), pg_advisory_xact_lock_shared(${LATCH})::text`

interface Active {
  readonly pid: number
  readonly wait: string
}

export function active(url: string): Promise<Active[]> {
  return run<Active>(
    url,
    `select pid, coalesce(wait_event, 'nothing') as wait from pg_stat_activity
     where application_name = 'svodka reports' and state = 'active' and datname = current_database()`,
  )
}

/** Wait event of the only statement, `nothing` if it computes; undefined without a statement. */
export async function activeWait(url: string): Promise<string | undefined> {
  return (await active(url))[0]?.wait
}

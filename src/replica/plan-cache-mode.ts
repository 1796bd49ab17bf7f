/** Has a connection make the plans that a run is to have. */
import type { ClientBase } from 'pg'
import type { Plan } from '../observation.ts'
import type { Milliseconds } from '../terms.ts'
import { within } from './pool.ts'

/** @see https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE */
const MODES = { own: 'force_custom_plan', shared: 'force_generic_plan' } as const

/** What connections were told last; they begin with `own`. @see SESSION_SETTINGS */
const told = new WeakMap<ClientBase, Plan>()

/** A round trip where it is not as before. @throws as `within` */
export async function usePlans(
  client: ClientBase,
  plan: Plan,
  timeoutMs: Milliseconds,
): Promise<void> {
  if ((told.get(client) ?? 'own') === plan) return
  await within(timeoutMs, client, () => client.query(`set plan_cache_mode = ${MODES[plan]}`))
  told.set(client, plan)
}

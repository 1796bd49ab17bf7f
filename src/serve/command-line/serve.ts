/** `svodka serve`: the gateway, if all definitions load. */
import { createSystemClock } from '../../model/clock.ts'
import { createGatewayProcess } from './gateway-process.ts'
import { loadAll } from './load-all.ts'

/** Answers the exit code once the gateway has stopped, or could not start. @throws CommandError as `loadAll`. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<number> {
  const now = createSystemClock()
  const loadedFrom = now()
  const { config, catalog } = loadAll(environment)
  return createGatewayProcess({ config, catalog, loadedInMs: now() - loadedFrom, now }).run()
}

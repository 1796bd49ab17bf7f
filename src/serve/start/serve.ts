/** `svodka serve`: the gateway, if all definitions load. */
import type { Limits } from '../../config/limits.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { createGatewayProcess, endOnEarlySignal } from './gateway-process.ts'
import { orFindings, readSettings } from './load-all.ts'
import { createReloading, readFirst } from './reloading.ts'

/**
 * SIGHUP reloads definitions, all or nothing.
 * @param limits of a test, other ones than the constants
 * @returns the exit code, after the gateway has stopped
 * @throws CommandError with all errors in the settings, or else in the definitions; if a port cannot be opened.
 */
export async function serve(
  environment: NodeJS.ProcessEnv,
  limits: Partial<Limits> = {},
): Promise<number> {
  endOnEarlySignal()
  // why: a signal that arrives before the definitions are loaded must neither end the process nor be lost
  let isEarly = false
  let reload = (): void => void (isEarly = true)
  process.on('SIGHUP', () => reload())
  const config = { ...readSettings(environment), ...limits }
  const { sqlDir: directory } = config
  const first = await orFindings(directory, async () => {
    const read = await readFirst(directory)
    if (read.findings.length > 0) throw new DefinitionErrors(read.findings)
    return read
  })
  const running = createGatewayProcess(config, first)
  const { gateway } = running
  reload = createReloading({
    directory,
    first,
    gateway,
    allOrNothing: true,
    report: gateway.reloaded,
  })
  if (isEarly) reload()
  return running.run()
}

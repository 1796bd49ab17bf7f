/** `svodka serve`: the gateway, if all definitions load. */
import type { Config } from '../../config/config.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { createGatewayProcess, endOnEarlySignal } from './gateway-process.ts'
import { createReloading, readFirst } from './reloading.ts'

/**
 * SIGHUP reloads definitions, all or nothing.
 * @returns the exit code, after the gateway has stopped
 * @throws DefinitionErrors; CommandError if a port cannot be opened
 */
export async function serve(config: Config): Promise<number> {
  endOnEarlySignal()
  // why: a signal that arrives before the definitions are loaded must neither end the process nor be lost
  let isEarly = false
  let reload = (): void => void (isEarly = true)
  process.on('SIGHUP', () => reload())
  const { sqlDir: directory } = config
  const first = await readFirst(directory)
  if (first.findings.length > 0) throw new DefinitionErrors(first.findings)
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

/** The gateway as a process, for `serve` and `watch`: log, metrics and signals. */
import type { Config } from '../../config/config.ts'
import { secretRemovalOf } from '../../config/secrets.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { monotonicClock } from '../../model/clock.ts'
import type { Observe } from '../../model/observation.ts'
import { createGateway } from '../gateway.ts'
import { createLog } from '../observe/log.ts'
import { createMetrics } from '../observe/metrics.ts'
import { CommandError, EXIT } from './exit.ts'
import { messageOf } from './output.ts'
import { untilStopped } from './signals.ts'
import { tuneForServing } from './v8-flags.ts'
import { revisionOfBuild, versionOfPackage } from './version.ts'
import type { Milliseconds } from '../../model/terms.ts'

const NO_PORT =
  'A port cannot be opened, expected PORT and OPS_PORT to be free, and HOST and OPS_HOST of this machine'

export type GatewayProcess = ReturnType<typeof createGatewayProcess>

export function createGatewayProcess(
  config: Config,
  { catalog, loadedInMs }: { readonly catalog: Catalog; readonly loadedInMs: Milliseconds },
) {
  const log = createLog({
    level: config.logLevel,
    trustProxy: config.trustProxy,
    pretty: process.stdout.isTTY,
    removeSecrets: secretRemovalOf(config),
    onDrop: () => observe({ kind: 'log-line-dropped' }),
    now: monotonicClock,
    wall: Date.now,
  })
  const observe: Observe = fact => {
    metrics.observe(fact)
    try {
      log.observe(fact)
    } catch (error) {
      metrics.observe({ kind: 'process-error', error })
    }
  }
  const exposition = () => metrics.exposition()
  const gateway = createGateway({ config, catalog, observe, exposition })
  const buildInfo = { version: versionOfPackage(), revision: revisionOfBuild() }
  const metrics = createMetrics(gateway.gauges, buildInfo, Date.now)
  for (const warning of config.warnings) log.log.warn(warning)

  return {
    gateway,
    observe,
    /** @returns the exit code, after the gateway has stopped @throws CommandError if a port cannot be opened */
    async run(): Promise<number> {
      try {
        await gateway.start(loadedInMs)
      } catch (error) {
        log.close()
        throw new CommandError(EXIT.environment, `${NO_PORT}: ${messageOf(error)}`)
      }
      tuneForServing()
      let code = await untilStopped(gateway.drain, config.drainDelayMs, observe)
      try {
        await gateway.stop()
      } catch (error) {
        log.log.error({ err: error }, 'the gateway did not stop completely')
        code = EXIT.findings
      }
      log.close()
      return code
    },
  }
}

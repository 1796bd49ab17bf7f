/** The gateway as a process, for `serve` and `watch`: log, metrics and signals. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
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
import { revisionOfBuild, versionOfPackage } from './version.ts'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { isEncoding } from '../report/turns.ts'

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
      limitYoungGeneration()
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

/** Of both halves. */
const EXPORT_BYTES: Bytes = 2 * 4 * 2 ** 20
const PERIOD_MS: Milliseconds = 50
/** An export waits less for its next rows. */
const EXPORT_MS: Milliseconds = 500

/** While the gateway starts. Idle memory 125 -> 92 MiB at the same CPU (2026-11-26, Node 20.20). */
export function holdYoungGeneration(): void {
  allowGrowth(false)
}

/**
 * From then on it grows as V8 wants, but in exports only to about `EXPORT_BYTES`: a burst of one period may double it more
 * than once. A million rows as XLSX and Parquet: 26 and 34 -> 16 and 25 MiB over idle (2026-11-26, Node 20.20).
 */
function limitYoungGeneration(): void {
  setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    allowGrowth(!isEncoding(EXPORT_MS) || (space !== undefined && space.space_size < EXPORT_BYTES))
  }, PERIOD_MS).unref()
}

function allowGrowth(isAllowed: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${isAllowed ? 2 : 1}`)
}

/** The gateway as a process, for `serve` and `watch`: log, metrics and signals. */
import { setFlagsFromString } from 'node:v8'
import type { Config } from '../../config/config.ts'
import { secretRemovalOf } from '../../config/secrets.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Observe } from '../../model/observation.ts'
import { createGateway } from '../gateway.ts'
import { createLog } from '../observe/log.ts'
import { limitMemoryOfEncodings } from '../report/turns.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { wordsOf } from '../database/classify-error.ts'

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
    onDrop: () => gateway.observe({ kind: 'log-line-dropped' }),
    now: () => performance.now(),
    wall: Date.now,
  })
  const gateway = createGateway({ config, catalog, log: log.observe })
  for (const warning of config.warnings) log.log.warn(warning)

  return {
    gateway,
    /** @returns the exit code, after the gateway has stopped @throws CommandError if a port cannot be opened */
    async run(): Promise<number> {
      try {
        await gateway.start(loadedInMs)
      } catch (error) {
        log.close()
        throw new CommandError(EXIT.environment, `${NO_PORT}: ${wordsOf(error)}`)
      }
      setFlagsFromString('--opt')
      limitMemoryOfEncodings()
      let code = await untilStopped(gateway.drain, config.drainDelayMs, gateway.observe)
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

/** After a crash, requests in flight have this time to finish. */
const CRASH_DRAIN_MS: Milliseconds = 5000

const STOP_SIGNALS = ['SIGTERM', 'SIGQUIT', 'SIGUSR2'] as const

// why: a signal that arrives while its listener is replaced by another one is lost
let onStopSignal: (signal: string) => void = () => process.exit(EXIT.ok)

function emitStopSignal(signal: string): void {
  onStopSignal(signal)
}

/**
 * Ends the process on a stop signal before the gateway serves.
 * why: without a handler the first process of a container would not end, any other one with the code of a crash
 */
export function endOnEarlySignal(): void {
  for (const signal of STOP_SIGNALS) process.on(signal, emitStopSignal)
}

/**
 * SIGTERM, SIGQUIT and SIGUSR2: `drain`, and `DRAIN_DELAY` until the gateway stops. SIGINT skips the delay; a second signal
 * ends the process immediately.
 * @returns the exit code, when the gateway has to stop
 */
function untilStopped(
  drain: () => void,
  drainDelayMs: Milliseconds,
  observe: Observe,
): Promise<number> {
  return new Promise(resolve => {
    let isStopping = false
    function stop(signal: string, delayMs: Milliseconds, code: number): void {
      if (isStopping) process.exit(code === EXIT.ok ? 130 : code)
      isStopping = true
      observe({ kind: 'draining', signal, delayMs })
      drain()
      setTimeout(resolve, delayMs, code)
    }
    onStopSignal = signal => stop(signal, drainDelayMs, EXIT.ok)
    for (const signal of STOP_SIGNALS)
      if (!process.listeners(signal).includes(emitStopSignal)) process.on(signal, emitStopSignal)
    process.on('SIGINT', () => stop('SIGINT', 0, EXIT.ok))
    function crash(error: unknown): void {
      observe({ kind: 'process-error', error })
      if (isStopping) return
      setTimeout(() => process.exit(EXIT.findings), CRASH_DRAIN_MS).unref()
      stop('crash', 0, EXIT.findings)
    }
    process.on('uncaughtException', crash)
    process.on('unhandledRejection', crash)
  })
}

// `svodka serve` for the shops as a separate process, for tests of its files, memory and exit.
import type { Limits } from '../../src/config/limits.ts'
import { asker, type Ask } from '../harness/ask.ts'
import { expectAtRest, openFileCount } from '../harness/at-rest.ts'
import { scrape, type Sample } from '../harness/exposition.ts'
import { ready, startProcess, type Addresses, type GatewayProcess } from '../harness/process.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { untilExecuting } from './gateways.ts'

export interface ServingProcess extends Addresses {
  readonly process: GatewayProcess
  /** Sends requests with the key of shop 1. */
  readonly ask: Ask
  /** Expects no active work and no leaked file, and executes the next report. @returns the metrics before that */
  readonly expectNothingLeft: (after?: string) => Promise<Sample[]>
}

type StartProcess = (
  environment: NodeJS.ProcessEnv,
  options?: { readonly prefix?: readonly string[]; readonly limits?: Partial<Limits> },
) => Promise<ServingProcess>

/** One process for all tests of the block with the same settings; a start takes seconds. */
export function gatewayProcessesOfBlock(): StartProcess {
  const start = gatewayProcesses(stop => after(stop))
  const processes = new Map<string, Promise<ServingProcess>>()
  return (environment, options) => {
    const key = JSON.stringify([environment, options])
    const known = processes.get(key) ?? start(environment, options)
    processes.set(key, known)
    known.catch(() => processes.delete(key))
    return known
  }
}

/** Each process is killed after its test. */
export function gatewayProcessesOfTests(): StartProcess {
  return gatewayProcesses(stop => afterEach(stop))
}

function gatewayProcesses(atEnd: (stop: () => Promise<void>) => void): StartProcess {
  const started: GatewayProcess[] = []
  before(async () => {
    await sharedShops()
  })
  atEnd(async () => {
    for (const { child, exit } of started.splice(0)) {
      child.kill('SIGKILL')
      await exit
    }
  })
  return async (environment, options) => {
    const shops = await sharedShops()
    const gateway = startProcess('serve', { ...shopsEnvironment(shops), ...environment }, options)
    started.push(gateway)
    const { url, opsUrl } = await ready(gateway)
    const ask = asker(url, 'key of shop 1')
    const execute = async (): Promise<number> =>
      (await ask('/reports/receipts', { headers: { 'Cache-Control': 'no-cache' } })).status
    if ((await execute()) !== 200) throw new Error('the first report is not executed')
    const openFiles = openFileCount(await scrape(opsUrl))
    return {
      process: gateway,
      url,
      opsUrl,
      ask,
      async expectNothingLeft(after) {
        await untilExecuting(shops, 0)
        const samples = await expectAtRest(opsUrl, openFiles, after)
        if ((await execute()) !== 200) throw new Error('the next report is not executed')
        return samples
      },
    }
  }
}

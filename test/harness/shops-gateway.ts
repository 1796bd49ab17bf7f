// Gateways of the shops for the tests of a block, and their end.
import { asker, type Ask } from './ask.ts'
import { expectAtRest, openFileCount } from './at-rest.ts'
import { scrape, type Sample } from './exposition.ts'
import { startGateway } from './gateway.ts'
import type { GatewayProcess, GatewayProcessOptions } from './gateway.ts'
import type { TestGateway, TestGatewayOptions } from './gateway.ts'
import { sharedShops, untilExecuting, type Shops } from './shops.ts'

interface OfBlock {
  gateway: TestGateway
  /** Sends requests with the key of shop 1. */
  readonly ask: Ask
}

export interface World extends OfBlock {
  shops: Shops
}

const NO_CACHE = { headers: { 'Cache-Control': 'no-cache' } }

/** 21 November 2026, noon in Moscow: the day of the shops' receipts. */
export const NOON = Date.parse('2026-11-21T09:00:00Z')

/** Started once for a block: `const world = gatewayOfBlock()`. The result is complete before the first test. */
export function gatewayOfBlock(
  environment: NodeJS.ProcessEnv | (() => Promise<NodeJS.ProcessEnv>) = {},
  options: TestGatewayOptions = {},
): OfBlock {
  const ask: Ask = (...request) => asker(world.gateway.url, 'key of shop 1')(...request)
  const world = { ask } as OfBlock
  before(async () => {
    const settings = typeof environment === 'function' ? await environment() : environment
    world.gateway = await startGateway(settings, options)
  })
  after(() => world.gateway?.stop())
  return world
}

/** The same at noon, with the shops. */
export function shopsGateway(
  environment: NodeJS.ProcessEnv = {},
  options: TestGatewayOptions = {},
): World {
  const world = gatewayOfBlock(environment, { now: () => NOON, ...options }) as World
  before(async () => {
    world.shops = await sharedShops()
  })
  return world
}

/** Gateways in this process, which stop after the test. */
export function gatewaysOfTests() {
  const stopLater = stoppedBy(afterEach)
  return async (
    environment: NodeJS.ProcessEnv = {},
    options: TestGatewayOptions = {},
  ): Promise<{ readonly gateway: TestGateway; readonly ask: Ask }> => {
    const gateway = stopLater(await startGateway(environment, options))
    return { gateway, ask: asker(gateway.url, 'key of shop 1') }
  }
}

export interface ServingProcess extends GatewayProcess {
  /** Sends requests with the key of shop 1. */
  readonly ask: Ask
  /** Expects no active work and no leaked file, and executes the next report. @returns the metrics before that */
  readonly expectNothingLeft: (after?: string) => Promise<Sample[]>
}

type StartProcess = (
  environment?: NodeJS.ProcessEnv,
  options?: Omit<GatewayProcessOptions, 'as'>,
) => Promise<ServingProcess>

/** One process for all tests of the block with the same settings; a start takes seconds. */
export function processesOfBlock(): StartProcess {
  const start = processes(stoppedBy(after))
  const started = new Map<string, Promise<ServingProcess>>()
  return (environment, options) => {
    const key = JSON.stringify([environment, options])
    const known = started.get(key) ?? start(environment, options)
    started.set(key, known)
    known.catch(() => started.delete(key))
    return known
  }
}

/** Gateways as processes, which are killed after the test. */
export function processesOfTests(): StartProcess {
  return processes(stoppedBy(afterEach))
}

function processes(stopLater: (gateway: GatewayProcess) => GatewayProcess): StartProcess {
  return async (environment = {}, options = {}) => {
    const gateway = stopLater(await startGateway(environment, { ...options, as: 'process' }))
    const ask = asker(gateway.url, 'key of shop 1')
    const execute = async (): Promise<void> => {
      const { status } = await ask('/reports/receipts', NO_CACHE)
      if (status !== 200) throw new Error('a report is not executed')
    }
    if (!options.unready) await execute()
    const openFiles = openFileCount(await scrape(gateway.opsUrl))
    const expectNothingLeft = async (after?: string): Promise<Sample[]> => {
      await untilExecuting(await sharedShops(), 0)
      const samples = await expectAtRest(gateway.opsUrl, openFiles, after)
      await execute()
      return samples
    }
    return Object.assign(gateway, { ask, expectNothingLeft })
  }
}

/** Registers the hooks. @returns a function that lets a gateway stop at the end */
function stoppedBy(
  atEnd: (stop: Mocha.AsyncFunc) => void,
): <Gateway extends Pick<TestGateway, 'stop'>>(gateway: Gateway) => Gateway {
  const started: Pick<TestGateway, 'stop'>[] = []
  before(async () => {
    await sharedShops()
  })
  atEnd(() => Promise.all(started.splice(0).map(gateway => gateway.stop())))
  return gateway => {
    started.push(gateway)
    return gateway
  }
}

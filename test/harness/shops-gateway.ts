// The shops' gateway, started once for a test file: `const world = shopsGateway()` inside a describe.
import { asker, type Ask } from './ask.ts'
import { startGateway, type TestGateway, type TestGatewayOptions } from './in-process-gateway.ts'
import { sharedShops, shopsEnvironment, type Shops } from './shops.ts'

export interface World {
  shops: Shops
  gateway: TestGateway
  /** Sends requests with the key of shop 1. */
  ask: Ask
}

/** 21 November 2026, noon in Moscow: the day of the shops' receipts. */
export const NOON = Date.parse('2026-11-21T09:00:00Z')

/** Registers the hooks; the result is complete before the first test. */
export function shopsGateway(
  environment: NodeJS.ProcessEnv = {},
  options: TestGatewayOptions = {},
): World {
  const world = {} as World
  before(async () => {
    world.shops = await sharedShops()
    world.gateway = await startGateway(
      { ...shopsEnvironment(world.shops), ...environment },
      { now: () => NOON, ...options },
    )
    world.ask = asker(world.gateway.url, 'key of shop 1')
    await world.gateway.ready()
  })
  after(() => world.gateway?.stop())
  return world
}

// `svodka serve` for the shops product, as a process that ends with its test.
import { startProcess, type GatewayProcess } from '../harness/process.ts'
import { sharedShops, shopsEnvironment, type Shops } from '../harness/shops.ts'

export interface ServeProcesses {
  readonly shops: Shops
  start(settings: NodeJS.ProcessEnv): GatewayProcess
}

/** Registers hooks; `shops` is set before the first test. */
export function serveProcesses(): ServeProcesses {
  let last: GatewayProcess | undefined
  const made = {
    shops: {} as Shops,
    start(settings: NodeJS.ProcessEnv): GatewayProcess {
      last = startProcess('serve', { ...shopsEnvironment(made.shops), ...settings })
      return last
    },
  }
  before(async () => {
    made.shops = await sharedShops()
  })
  afterEach(() => void last?.child.kill('SIGKILL'))
  return made
}

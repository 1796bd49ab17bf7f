// `svodka watch` on a small folder of its own, which tests change while it serves.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Ask } from '../support/ask.ts'
import { ready, startProcess } from '../support/process.ts'
import type { GatewayProcess } from '../support/process.ts'
import { sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

export const RECEIPTS = 'reports/sales/receipts.sql'
export const SALES = 'metrics/sales.sql'

/** What a process says from here on. */
interface Said {
  /** Resolves once stderr has the text. */
  (text: string): Promise<unknown>
  all(): string
}

export interface Watched {
  readonly folder: string
  readonly gateway: GatewayProcess
  readonly ask: Ask
  readonly opsUrl: string
  readonly shops: Shops
  start(environment?: NodeJS.ProcessEnv): Promise<void>
  read(file: string): string
  write(file: string, text: string): void
  change(file: string, found: string, replaced: string): void
  listen(): Said
  titles(): Promise<string[]>
}

/** For a `describe`: a new folder for each of its tests, and the process is told to end after it. */
export function watching(): Watched {
  let shops: Shops
  let folder: string
  let gateway: GatewayProcess
  let ask: Ask
  let opsUrl: string

  before(async function () {
    this.timeout(60_000)
    shops = await sharedShops()
  })

  beforeEach(() => {
    folder = join(temporaryFolder(), 'sql')
    for (const file of [RECEIPTS, SALES, 'access/organization_by_key.sql']) {
      cpSync(join(SHOPS_SQL_DIR, file), join(folder, file))
    }
  })

  afterEach(async () => {
    gateway.child.kill('SIGINT')
    expect(await gateway.exit).to.equal(0)
  })

  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }

  return {
    get folder() {
      return folder
    },
    get gateway() {
      return gateway
    },
    get ask() {
      return ask
    },
    get opsUrl() {
      return opsUrl
    },
    get shops() {
      return shops
    },
    async start(environment = {}) {
      const settings = { ...shopsEnvironment(shops), SQL_DIR: folder, ...environment }
      gateway = startProcess('watch', settings)
      const addresses = await ready(gateway)
      ask = asker(addresses.url, 'key of shop 1')
      opsUrl = addresses.opsUrl
    },
    read,
    write,
    change(file, found, replaced) {
      expect(read(file)).to.contain(found)
      write(file, read(file).replace(found, replaced))
    },
    listen() {
      const from = gateway.err.length
      // Files as they are named here, from the folder's parent.
      const all = (): string => gateway.err.slice(from).replaceAll(`${dirname(folder)}/`, '')
      return Object.assign((text: string) => until(() => all().includes(text)), { all })
    },
    async titles() {
      const { json } = await ask('/reports')
      return json.reports.map(({ title }: { title: string }) => title)
    },
  }
}

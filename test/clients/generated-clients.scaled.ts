// TypeScript clients that generators make from /openapi.json: programs that read reports with them compile and execute.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { IS_PROOF } from '../harness/is-proof.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { clientsGateway, KEY, run, YEAR } from './clients.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** A package of its own: the generators need an older compiler. */
const TOOLS = join(ROOT, 'test/clients/generators/node_modules/.bin')
const OPTIONS = {
  strict: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'commonjs',
  moduleResolution: 'node10',
  types: [],
}

/** What every program prints; without and with a suffix, and of metrics. */
const PRINT = `
  const { data: receipts } = await receiptsOf()
  const { data: ledger } = await ledgerOf()
  const { data: figures } = await metricsOf()
  const days: string[] = ledger!.rows.map(({ day }) => day ?? '')
  const total: number | null = receipts!.totals.amount
  console.log(JSON.stringify([total, receipts!.rows.length, ledger!.totals.paid, days.at(-1), figures!.metrics.length]))
`
const QUERY = `{ from: '${YEAR.slice(5, 15)}', to: '${YEAR.slice(-10)}' }`

const GENERATORS = {
  'openapi-typescript': {
    options: ['api.json', '-o', 'api.ts'],
    program: (url: string) => `import createClient from 'openapi-fetch'
import type { paths } from './api'
const client = createClient<paths>({ baseUrl: '${url}', headers: { 'X-Api-Key': '${KEY}' } })
const query = ${QUERY}
const receiptsOf = () => client.GET('/reports/receipts', { params: { query } })
const ledgerOf = () => client.GET('/reports/ledger.json', { params: { query } })
const metricsOf = () => client.GET('/metrics')`,
  },
  'openapi-ts': {
    options: ['-i', 'api.json', '-o', 'sdk'],
    program: (url: string) => `import { client } from './sdk/client.gen'
import { metrics, reportLedgerJson, reportReceipts } from './sdk'
client.setConfig({ baseUrl: '${url}', auth: '${KEY}' })
const query = ${QUERY}
const receiptsOf = () => reportReceipts({ query })
const ledgerOf = () => reportLedgerJson({ query })
const metricsOf = () => metrics()`,
  },
}

describe('the client that', function () {
  this.timeout(60_000)
  const world = clientsGateway()

  const generators = Object.entries(GENERATORS).slice(0, IS_PROOF ? undefined : 1)
  for (const [generator, { options, program }] of generators) {
    it(`${generator} generates has the types of reports, and reads them`, async () => {
      const folder = temporaryFolder()
      const execute = async (name: string, args: readonly string[]): Promise<string> => {
        const { exitCode, stdout, stderr } = await run(name, args, folder)
        expect(exitCode, `${name}: ${stdout.toString()}${stderr}`).to.equal(0)
        return stdout.toString()
      }
      const api = `${world.gateway.url}/api/public/v1`
      const headers = { 'X-Api-Key': KEY }
      const document = await fetch(`${api}/openapi.json`, { headers })
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}')
      writeFileSync(join(folder, 'api.json'), await document.text())
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }),
      )
      writeFileSync(
        join(folder, 'program.ts'),
        `${program(api)}\nasync function main() {${PRINT}}\nvoid main()\n`,
      )
      await execute(join(TOOLS, generator), options)
      await execute(join(TOOLS, 'tsc'), ['--lib', 'es2022,dom,dom.iterable'])
      const { json } = await world.ask(`/reports/receipts?${YEAR}`)
      const { json: ledger } = await world.ask(`/reports/ledger?${YEAR}`)
      const { json: metrics } = await world.ask('/metrics')
      expect(JSON.parse(await execute(process.execPath, ['program.js']))).to.deep.equal([
        json.totals.amount,
        json.rows.length,
        ledger.totals.paid,
        ledger.rows.at(-1).day,
        metrics.metrics.length,
      ])
    })
  }
})

// What the contenders of a group have in common: started gateways, and the check that all send the same report.
import { expect } from 'chai'
import type { Bench, Row } from './bench.ts'
import { FIRST_DAY, type LoadRequest } from './requests.ts'
import { startGateway, type Gateway } from './gateway.ts'
import type { ServerProcess } from './server-process.ts'

export interface NamedGateway {
  readonly gateway: Gateway
  /** Of its measurements: `gateway`, `gateway --max-semi-space-size=32 dist/src/main.js`. */
  readonly name: string
  /** Begins its rows. */
  readonly prefix: string
}

/** Measures with all gateways, and stops them. */
export async function withGateways(
  bench: Bench,
  measure: (gateways: readonly NamedGateway[]) => Promise<Row[]>,
): Promise<Row[]> {
  const started: NamedGateway[] = []
  for (const command of bench.gateways) {
    const gateway = await startGateway(bench, command)
    const prefix = command.name === '' ? '' : `${command.name}: `
    started.push({ gateway, name: `gateway ${command.name}`.trim(), prefix })
  }
  const rows = await measure(started)
  await Promise.all(started.map(({ gateway }) => gateway.stop()))
  return rows
}

/** The rows of each gateway, which a function makes. */
export function rowsOfEach(
  gateways: readonly NamedGateway[],
  rows: (of: NamedGateway) => readonly Row[],
): Row[] {
  return gateways.flatMap(one =>
    rows(one).map(row => ({ ...row, name: `${one.prefix}${row.name}` })),
  )
}

interface Report {
  readonly columns: readonly { readonly key: string; readonly type: string }[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/**
 * @throws AssertionError unless all send the same columns and rows, except instants, which only a gateway writes in
 * local time.
 * @returns the number of rows
 */
export async function checkSame(
  servers: readonly ServerProcess[],
  request: LoadRequest,
): Promise<number> {
  const [first = [], ...others] = await Promise.all(
    servers.map(server => comparable(server, request)),
  )
  for (const other of others) expect(other).to.deep.equal(first)
  return first.length
}

async function comparable(
  { url }: ServerProcess,
  { path, headers }: LoadRequest,
): Promise<unknown[]> {
  const response = await fetch(`${url}${path.replace('{day}', FIRST_DAY)}`, { headers })
  expect(response.status, path).to.equal(200)
  const { columns, rows } = (await response.json()) as Report
  const keys = columns.filter(({ type }) => type !== 'datetime').map(({ key }) => key)
  return rows.map(row => keys.map(key => [key, row[key]]))
}

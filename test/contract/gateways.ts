// Shared by the tests of this folder: metrics, modified definitions, raw requests.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Ask } from '../harness/ask.ts'
import { metricOf } from '../harness/exposition.ts'
import { fixtures } from '../harness/fixtures.ts'
import type { TestGateway } from '../harness/gateway.ts'
import { sharedShops, SHOPS_SQL_DIR, type Shops } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

export const PREFIX = '/api/public/v1'
export const KEY = 'X-Api-Key: key of shop 1\r\n'

/** The suffix of a report's path for each reader in `test/formats`. */
export const PATHS_OF_READERS = {
  ndjson: '.ndjson',
  csv: '.csv',
  excel: '.csv?preset=excel',
  xlsx: '.xlsx',
  parquet: '.parquet',
}

/** @param path below the prefix @param headers lines with line ends */
export function requestOf(path: string, headers = KEY): string {
  return `GET ${PREFIX}${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
}

/** A path with a different period for each number, which is not cached yet. */
export function coldPath(report: string, day: number): string {
  const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10)
  return `/reports/${report}?from=${date}&to=${date}`
}

/** @param change file path to its text, or to undefined to omit the file @returns `SQL_DIR` */
export function shopsFolder(change: Readonly<Record<string, string | undefined>>): string {
  const folder = join(temporaryFolder(), 'sql')
  cpSync(SHOPS_SQL_DIR, folder, { recursive: true })
  for (const [path, text] of Object.entries(change)) {
    if (text === undefined) rmSync(join(folder, path), { recursive: true })
    else writeFileSync(join(folder, path), text)
  }
  return folder
}

export const FLOOD = 'reports/sales/flood.sql'
/**
 * For `shopsFolder`: `flood` with 24 MB, far more than the socket buffers of a client that reads nothing. Few long rows,
 * since many short ones take more of the processor.
 */
export const SMALL_FLOOD = {
  [FLOOD]: readFileSync(join(SHOPS_SQL_DIR, FLOOD), 'utf8')
    .replaceAll('500000', '20000')
    .replace('* 60', '* 600'),
}

export const inFlight = (gateway: Pick<TestGateway, 'opsUrl'>): Promise<number> =>
  metricOf(gateway, 'svodka_http_requests_in_flight')

export const spooledBytes = (gateway: Pick<TestGateway, 'opsUrl'>): Promise<number> =>
  metricOf(gateway, 'svodka_spool_bytes')

/** The status and the text of `/readyz?verbose`. */
export async function readyz({ opsUrl }: Pick<TestGateway, 'opsUrl'>): Promise<string> {
  const response = await fetch(`${opsUrl}/readyz?verbose`)
  return `${response.status} ${await response.text()}`
}

/** @param role its password must be its name */
export function urlAs(role: string, url: string): string {
  return Object.assign(new URL(url), { username: role, password: role }).href
}

/**
 * Registers a hook, so call it before `shopsGateway`. Definitions may call `hold(shop)`, which waits until it is
 * released, and `fail(shop)`.
 * @returns `SQL_DIR` with the report `held`
 */
export function folderWithHeldReport(
  change: Readonly<Record<string, string | undefined>> = {},
): string {
  afterEach(release)
  before(async () => {
    const shops = await sharedShops()
    await shops.change(`
      create or replace function hold(shop integer) returns integer stable language plpgsql
        set lock_timeout = 0 as $$ begin perform pg_advisory_xact_lock_shared(1); return shop; end $$;
      create or replace function fail(shop integer) returns integer stable language plpgsql
        as $$ begin return shop / 0; end $$`)
  })
  return shopsFolder({ ...change, ...fixtures('reports/faults/held') })
}

const holders = new Set<Client>()

async function release(): Promise<void> {
  for (const client of holders) {
    holders.delete(client)
    await client.end()
  }
}

/** @returns a function that releases the reports, as does the end of the test */
export async function holdReports({ replicaUrl }: Shops): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: replicaUrl })
  await client.connect()
  holders.add(client)
  await client.query('select pg_advisory_lock(1)')
  return release
}

/** The distinct statuses of concurrent pings. */
export async function statusesOf(ask: Ask, count: number): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => ask('/ping')))
  return [...new Set(responses.map(({ status }) => status))]
}

/** Resolves when the head has arrived; the body is not read. */
export function openResponse(
  { url }: Pick<TestGateway, 'url'>,
  path: string,
  headers: Readonly<Record<string, string>> = { 'X-Api-Key': 'key of shop 1' },
  method = 'GET',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false }
    request(`${url}${PREFIX}${path}`, options, resolve).on('error', reject).end()
  })
}

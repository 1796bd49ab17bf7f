// Checks definitions of a second product, with other names and integer ids.
import { expect } from 'chai'
import type { Client } from 'pg'
import { createReplicaCheck, type ReplicaCheck } from '../../src/author/check/on-replica.ts'
import type { Catalog } from '../../src/definitions/definition.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { hintsOf } from '../../src/author/tenancy/tenancy-hints.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectTo } from '../harness/test-database.ts'
import { sharedShops, SHOPS_SQL_DIR } from '../harness/shops.ts'
import { definitionDraft } from './definition-draft.ts'

const ORGANIZATIONS = [
  { id: '1', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true, nickname: 'one' },
  { id: '2', idType: 'integer', timeZone: 'Asia/Vladivostok', entitled: true },
  { id: '3', idType: 'integer', timeZone: 'Europe/Moscow', entitled: true },
]
const NOON = Date.parse('2026-11-21T09:00:00Z')

describe("another product's definitions", () => {
  let client: Client
  let catalog: Catalog
  let check: ReplicaCheck

  before(async function () {
    this.timeout(30_000)
    const { replicaUrl } = await sharedShops()
    client = await connectTo(replicaUrl)
    catalog = await loadCatalog(SHOPS_SQL_DIR, parseSql)
    check = await createReplicaCheck({
      client,
      organizations: ORGANIZATIONS,
      hints: hintsOf(
        await Promise.all([...catalog.reports.values()].map(one => definitionDraft(one))),
      ),
      parse: parseSql,
      now: () => NOON,
    })
  })
  after(() => client?.end())

  async function messages(code: string): Promise<string[]> {
    const definition = catalog.reports.get(code) ?? catalog.metricsFiles.get(code)
    if (definition === undefined) throw new Error(`no ${code}`)
    return (await check(definition, await definitionDraft(definition))).findings.map(
      ({ message }) => message,
    )
  }

  for (const code of ['receipts', 'receipts_by_month', 'sales']) {
    it(`have no finding if they are correct: ${code}`, async () => {
      expect(await messages(code)).to.deep.equal([])
    })
  }

  const faults = {
    division: 'division by zero',
    float: 'double precision',
    fraction: 'expected money, whole kopecks',
    missing_table: 'does not exist',
    no_totals_row: 'no totals row',
    not_a_number: 'NaN',
    too_many_rows: 'expected at most maxRows',
    writes: 'read-only transaction',
    wrong_count: 'row_count is',
  }
  for (const [code, message] of Object.entries(faults)) {
    it(`have a finding for their fault: ${code}`, async () => {
      expect((await messages(code)).join('\n')).to.include(message)
    })
  }
})

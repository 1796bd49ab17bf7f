// An invalid row of the key look-up affects only its own keys.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { asker } from '../harness/ask.ts'
import { shortenMinutes } from '../harness/short-minutes.ts'
import { svodka } from '../harness/svodka.ts'
import { writeSqlFolder } from '../harness/sql-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { readyz } from './gateways.ts'

/** Organization id to time zone. */
const INVALID_ZONES: Record<string, string | null> = {
  'no zone': null,
  'no such zone': 'Mars/Olympus',
  'offset of ISO 8601': '+03:00',
  'offset in hours': '-5',
  'offset of UTC': 'UTC+3',
  'offset of GMT': 'GMT-3',
  POSIX: 'MSK-3',
  'POSIX without a sign': 'MSK3',
  'abbreviation known to PostgreSQL only': 'MSK',
  'unknown to PostgreSQL': 'US/Pacific-New',
  'another zone to PostgreSQL': 'IST',
}
const VALID_ZONES: Record<string, string> = {
  moscow: 'Europe/Moscow',
  'in lower case': 'europe/moscow',
  'west of Greenwich': 'Etc/GMT+3',
  american: 'EST5EDT',
  utc: 'UTC',
}
/** Has summer time in Node, but not in PostgreSQL, which reads it as an abbreviation. */
const DIFFERENT = 'CET'

const NOON = Date.parse('2026-11-21T09:00:00Z')
const REPORT = '/reports/sales?from=2026-01-01&to=2026-12-31'

const text = (value: string | null): string =>
  value === null ? 'null' : `'${value.replaceAll("'", "''")}'`

describe('an invalid access row', () => {
  const folder = temporaryFolder()
  let gateway: TestGateway
  let restore: () => void
  let replicaUrl: string
  let settings: { readonly DATABASE_URL: string; readonly SQL_DIR: string }

  before(async () => {
    const database = await createTestDatabase('access_rows')
    replicaUrl = database.replicaUrl
    const zones = Object.entries({ ...INVALID_ZONES, ...VALID_ZONES, different: DIFFERENT })
    const rows: ReadonlyArray<readonly [key: string, id: string | null, zone: string | null]> = [
      ...zones.map(([id, zone]) => [id, id, zone] as const),
      ['no id', null, 'UTC'],
      ['line feed', 'line\nfeed', 'UTC'],
      ['two', 'first of two', 'UTC'],
      ['two', 'second of two', 'UTC'],
      ['one twice', 'one twice', 'UTC'],
      ['one twice', 'one twice', 'UTC'],
    ]
    const values = rows.map(
      ([key, id, zone]) => `(sha256(${text(`key of ${key}`)}), ${text(id)}, ${text(zone)})`,
    )
    await database.change(
      `create schema access;
       create table access.keys (hash bytea, id text, zone text);
       create table access.sales (organization_id text, day date, shop text, amount bigint);
       insert into access.keys values ${values.join(', ')};
       insert into access.sales select distinct id, date '2026-02-01', id, 100 from access.keys`,
    )
    settings = { DATABASE_URL: replicaUrl, SQL_DIR: writeSqlFolder(folder, 'access') }
    writeFileSync(
      join(settings.SQL_DIR, 'access', 'organizations.sql'),
      `select id as organization_id, case id when 'moscow' then id end as nickname, zone as time_zone from access.keys`,
    )
    // why: offsets are compared a minute after a zone was read
    restore = shortenMinutes()
    gateway = await startGateway(settings, { now: () => NOON })
  })
  after(async () => {
    await gateway?.stop()
    restore()
  })

  async function responsesOf(key: string, count = 1): Promise<string[]> {
    const ask = asker(gateway.url, `key of ${key}`)
    const all = await Promise.all(Array.from({ length: count }, () => ask(REPORT)))
    return [
      ...new Set(
        all.map(({ status, json, headers }) =>
          status === 200
            ? `200 ${json.rows.map(({ shop }: { shop: string }) => shop).join()}`
            : `${status} ${json.code} ${headers.get('Retry-After')}`,
        ),
      ),
    ]
  }

  it('is 503 access_unavailable for its own keys, while other keys of the batch are served', async () => {
    const invalid = [...Object.keys(INVALID_ZONES), 'no id', 'line feed', 'two', 'one twice']
    const valid = [...Object.keys(VALID_ZONES), 'different']
    // why: repeated requests, so that all keys share batches
    const [ofInvalid, ofValid] = await Promise.all([
      Promise.all(invalid.map(async key => [key, await responsesOf(key, 10)])),
      Promise.all(valid.map(async key => [key, await responsesOf(key, 10)])),
    ])
    expect(ofValid).to.deep.equal(valid.map(id => [id, [`200 ${id}`]]))
    expect(ofInvalid).to.deep.equal(invalid.map(key => [key, ['503 access_unavailable 5']]))
  })

  it('is counted separately from unavailable databases, and observed with its organization', async () => {
    const before = gateway.observations.length
    await responsesOf('no such zone')
    await responsesOf('moscow', 2)
    const observed = gateway.observations.slice(before)
    expect(observed.find(({ kind }) => kind === 'request')).to.include({
      problem: 'access_unavailable',
      organizationId: 'no such zone',
    })
    const outcomes = observed.flatMap(fact => (fact.kind === 'key-checked' ? [fact.outcome] : []))
    expect(outcomes).to.deep.equal(['invalid_row', 'valid', 'valid'])
  })

  it('is observed once a minute for each organization', async () => {
    await responsesOf('no such zone', 10)
    const rejected = gateway.observations.flatMap(fact =>
      fact.kind === 'access-row-rejected' ? [[fact.organizationId, String(fact.error)]] : [],
    )
    const others = [undefined, 'line\nfeed', 'first of two', 'one twice']
    const expected = [...Object.keys(INVALID_ZONES), ...others]
    expect(rejected.map(([id]) => id)).to.have.members(expected)
    expect(rejected).to.deep.include([
      'no such zone',
      'InvalidAccessRow: sql/access/organization_by_key.sql: organization "no such zone": time_zone is "Mars/Olympus", which Node does not know, expected an IANA name such as Europe/Berlin',
    ])
  })

  it('degrades readiness without failing it', async () => {
    expect(await readyz(gateway)).to.match(
      /^200 [^]*\n\[\+\]access-rows degraded: \d+ organizations have a row that is not valid: see the log$/m,
    )
  })

  it('is not a zone whose offsets differ between Node and PostgreSQL, which is a warning', async () => {
    expect(await responsesOf('different')).to.deep.equal(['200 different'])
    const found = () => gateway.observations.filter(({ kind }) => kind === 'time-zone-differs')
    const differing = await until(() => found().length > 0 && found())
    expect(differing).to.deep.equal([
      {
        kind: 'time-zone-differs',
        replica: new URL(replicaUrl).host,
        timeZone: DIFFERENT,
        at: '2025-03-31T09:00:00.000Z',
        databaseMinutes: 60,
        runtimeMinutes: 120,
      },
    ])
  })

  it('is a finding of check', async () => {
    const { code, stdout, stderr } = await svodka(['check'], settings)
    const findings = stdout.match(/(?<=organizations\.sql: error: ).*(?= \[product\])/g) ?? []
    const zones = findings.flatMap(
      line => /organization "([^"]+)": time_zone is /.exec(line)?.[1] ?? [],
    )
    expect(zones).to.have.members(Object.keys(INVALID_ZONES))
    expect(stderr).to.match(/11 errors in 0 of 1 definition in \S+, checked on /)
    expect(code).to.equal(1)
  })

  it('ends a command for its organization', async () => {
    const { code, stderr } = await svodka(['run', 'sales', '--org', 'no such zone'], settings)
    expect(stderr).to.contain('organization "no such zone": time_zone is "Mars/Olympus"')
    expect(code).to.equal(1)
  })
})

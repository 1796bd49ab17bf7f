import { expect } from 'chai'
import { Client } from 'pg'
import { createTimeZoneChecks, type AskRows } from '../../src/serve/replica/time-zone-checks.ts'
import { sharedCluster } from '../harness/cluster.ts'

// Invalid zones and zones with other offsets in PostgreSQL are tested in test/contract/access-rows.test.ts.
describe('checks of time zones', function () {
  this.timeout(60_000)
  let client: Client
  let askedCount: number
  let nowMs: number
  /** Checks due zones, as a look-up does. @returns the fault of a zone */
  let check: (zones: readonly string[], ask?: AskRows) => Promise<(zone: string) => unknown>

  before(async () => {
    client = new Client({ connectionString: (await sharedCluster()).replicaUrl })
    await client.connect()
    await client.query(`set timezone to 'UTC'`)
  })
  after(() => client?.end())
  beforeEach(() => {
    askedCount = 0
    nowMs = Date.parse('2026-11-21T09:00:00Z')
    const checks = createTimeZoneChecks({ onDifference: () => {}, now: () => nowMs })
    check = async (zones, ask = askServer) => {
      const due = checks.due(zones)
      if (due.length > 0) await checks.check(due, ask)
      return checks.faultOf
    }
  })
  const askServer: AskRows = async (text, values) => {
    askedCount += 1
    return (await client.query({ text, values: [...values], rowMode: 'array' })).rows
  }

  it('check all new names once', async () => {
    const zones = 'Europe/Moscow Etc/GMT+3 asia/VLADIVOSTOK EST5EDT UTC GMT+0 GMT-0'.split(' ')
    const faultOf = await check([...zones, ...zones])
    expect(zones.map(faultOf)).to.deep.equal(zones.map(() => undefined))
    await check(zones)
    expect(askedCount).to.equal(1)
    await check(['Asia/Omsk', '+03:00', 'Mars/Olympus', ...zones])
    expect(askedCount).to.equal(2)
  })

  it('retain the verdict of PostgreSQL if the next check, an hour later, fails', async () => {
    const unknown = (await check(['Asia/Omsk'], async () => []))('Asia/Omsk')
    expect(unknown).to.contain('which PostgreSQL does not know')
    nowMs += 3_600_000
    const failing = check(['Asia/Omsk'], () => Promise.reject(new Error('permission denied')))
    expect(await failing.catch(String)).to.contain('permission denied')
    expect((await check([]))('Asia/Omsk')).to.equal(unknown)
    expect((await check(['Asia/Omsk']))('Asia/Omsk')).to.equal(undefined)
  })
})

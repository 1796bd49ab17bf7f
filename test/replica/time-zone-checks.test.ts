import { expect } from 'chai'
import { Client } from 'pg'
import type { AskRows } from '../../src/replica/ask-rows.ts'
import { createTimeZoneChecks } from '../../src/replica/time-zone-checks.ts'
import type { TimeZoneDifference } from '../../src/replica/time-zone-checks.ts'
import type { Clock } from '../../src/terms.ts'
import { sharedCluster } from '../support/cluster.ts'

const NOON = Date.parse('2026-11-21T09:00:00Z')

describe('checks of time zones', function () {
  this.timeout(30_000)
  let client: Client
  let askedCount = 0
  let differences: TimeZoneDifference[] = []

  before(async () => {
    const { replicaUrl } = await sharedCluster()
    client = new Client({ connectionString: replicaUrl })
    await client.connect()
    await client.query(`set timezone to 'UTC'`)
  })
  after(() => client?.end())
  beforeEach(() => {
    askedCount = 0
    differences = []
  })

  const ask: AskRows = async (text, values) => {
    askedCount += 1
    return (await client.query({ text, values: [...values], rowMode: 'array' })).rows
  }
  /** As a look-up does: asks for what is due, and tells what is wrong. */
  function checks(now: Clock = () => NOON) {
    const { due, check, faultOf } = createTimeZoneChecks({
      onDifference: one => differences.push(one),
      now,
    })
    return async (timeZones: readonly string[], using = ask) => {
      const asked = due(timeZones)
      if (asked.length > 0) await check(asked, using)
      return faultOf
    }
  }

  it('ask once for all names that are new, and not again', async () => {
    const check = checks()
    const zones = [
      'Europe/Moscow',
      'Etc/GMT+3',
      'asia/VLADIVOSTOK',
      'EST5EDT',
      'UTC',
      'GMT+0',
      'GMT-0',
    ]
    const faultOf = await check([...zones, ...zones], ask)
    expect(zones.map(faultOf)).to.deep.equal(zones.map(() => undefined))
    await check(zones, ask)
    expect(askedCount).to.equal(1)
    await check(['Asia/Omsk', ...zones], ask)
    expect(askedCount).to.equal(2)
    expect(differences, 'the same offsets').to.deep.equal([])
  })

  it('do not ask for what this runtime rejects, nor again for what PostgreSQL does not know', async () => {
    const check = checks()
    const rejected = ['+03:00', 'Mars/Olympus', `'); drop table x; --`]
    const faultOf = await check(rejected, ask)
    expect(rejected.map(zone => faultOf(zone) !== undefined)).to.deep.equal([true, true, true])
    expect(askedCount).to.equal(0)
    for (const _time of [1, 2]) {
      const told = await check(['US/Pacific-New', 'IST'], ask)
      // why: to the ICU of Node 20 it is India, and to PostgreSQL an abbreviation in Israel
      expect(told('IST')).to.match(/^time_zone is "IST", which (?:PostgreSQL|Node) does not know/)
    }
    expect(askedCount).to.be.at.most(1)
  })

  it('tell once of a zone that both know and differ about, asked for at one time too', async () => {
    const check = checks()
    await Promise.all([check(['CET'], ask), check(['CET', 'UTC'], ask)])
    const april = { at: '2025-04-15T12:00:00.000Z', databaseMinutes: 60, runtimeMinutes: 120 }
    expect(differences).to.deep.equal([{ timeZone: 'CET', ...april }])
  })

  it('keep the verdict of PostgreSQL where the next check fails', async () => {
    let nowMs = NOON
    const check = checks(() => nowMs)
    const unknownToPostgres: AskRows = async () => []
    const fails: AskRows = async () => {
      throw new Error('permission denied')
    }
    const faultOf = await check(['Asia/Omsk'], unknownToPostgres)
    expect(faultOf('Asia/Omsk')).to.contain('which PostgreSQL does not know')
    nowMs += 3_600_000
    expect(await check(['Asia/Omsk'], fails).catch(String)).to.contain('permission denied')
    expect(faultOf('Asia/Omsk')).to.contain('which PostgreSQL does not know')
    await check(['Asia/Omsk'])
    expect(faultOf('Asia/Omsk')).to.equal(undefined)
  })
})

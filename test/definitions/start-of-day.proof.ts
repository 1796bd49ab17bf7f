// The start of each day of 1970 to 2037 in every time zone, compared with zdump's list of clock changes.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { startOfDay } from '../../src/definitions/statement.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'

const DAY = 86_400
const FIRST = Date.UTC(1970, 0, 1) / 1000
const LAST = Date.UTC(2037, 11, 31) / 1000

/** why: `at time zone` reads CET, EET, MET and WET as abbreviations, without daylight saving time */
const ZONES = `
  select name from pg_timezone_names
  where name not like 'posix%' and name not in (select abbrev from pg_timezone_abbrevs)
  order by name collate "C"`

/** Days that do not begin 24 hours after the day before. */
const STARTS = `
  with starts as (
    select names.name, days.day::date as day, extract(epoch from ${startOfDay('days.day::date', 'names.name')})::bigint as at
    from (${ZONES}) as names
    cross join generate_series('1970-01-01'::timestamp, '2037-12-31', '1 day') as days (day)
  )
  select name, string_agg(day || ' ' || at, ', ' order by day) as starts
  from (select *, lag(at) over (partition by name order by day) as before from starts) as pairs
  where before is null or at - before <> ${DAY}
  group by name`

const FOLDER = `select setting || '/timezone' as folder from pg_config where name = 'SHAREDIR'`

interface Offset {
  /** Seconds since the epoch. */
  readonly from: number
  readonly seconds: number
}

/** @param zone a name, or the path of a file of PostgreSQL's own tzdata @see zdump(8) */
function offsetsOf(zone: string): Offset[] {
  const lines = execFileSync('zdump', ['-v', '-c', '1969,2039', zone], { encoding: 'utf8' })
  const offsets = [...lines.matchAll(/^\S+ +\w+ (.*) UT = .* gmtoff=(-?\d+)$/gm)].map(
    ([, at = '', seconds]) => ({ from: Date.parse(`${at} UTC`) / 1000, seconds: Number(seconds) }),
  )
  // why: each change has a line for the second before it
  const changes = offsets.filter((_, at) => at % 2 === 1)
  const before = offsets[0]?.seconds ?? utcOffsetOf(zone)
  return [{ from: -Infinity, seconds: before }, ...changes]
}

function utcOffsetOf(zone: string): number {
  const offset = execFileSync('date', ['+%z'], {
    encoding: 'utf8',
    env: { ...process.env, TZ: zone },
  })
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)/.exec(offset) ?? []
  return Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/** As a row of `STARTS`: a day starts when its local midnight is reached, or skipped. */
function startsOf(zone: string): string {
  const offsets = offsetsOf(zone)
  const found: string[] = []
  let before = NaN
  let current = 0
  for (let midnight = FIRST; midnight <= LAST; midnight += DAY) {
    while ((offsets[current + 1]?.from ?? Infinity) < midnight - 2 * DAY) current += 1
    let at = current
    let start = Infinity
    for (; start === Infinity; at += 1) {
      const { from, seconds } = offsets[at]!
      const reached = Math.max(from, midnight - seconds)
      if (reached < (offsets[at + 1]?.from ?? Infinity)) start = reached
    }
    if (start - before !== DAY) {
      found.push(`${new Date(midnight * 1000).toISOString().slice(0, 10)} ${start}`)
    }
    before = start
  }
  return found.join(', ')
}

describe('the start of a day', function () {
  this.timeout(600_000)

  it('is the first instant with its local date, in every time zone from 1970 to 2037', async () => {
    const { primaryUrl } = await sharedCluster()
    const [{ folder } = { folder: '' }] = await run<{ folder: string }>(primaryUrl, FOLDER)
    const zones = await run<{ name: string; starts: string }>(primaryUrl, STARTS)
    expect(zones.length).to.be.greaterThan(500)
    // why: glibc reads the end of PostgreSQL's America/Ojinaga wrongly; the system's tzdata may be of another release
    const differing = zones.filter(
      ({ name, starts }) => starts !== startsOf(name) && starts !== startsOf(join(folder, name)),
    )
    expect(differing.map(({ name }) => name)).to.deep.equal([])
  })
})

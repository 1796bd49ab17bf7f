// Whoever follows the advice of `svodka check` on times to its end gets right figures: each message's SQL is pasted until
// there is no finding. On columns as Rails, Django and Prisma make them, in 24 time zones, with rows at each midnight of a
// year and every quarter of an hour of the days when clocks change. Both products with UTC have all advice in the proof, else half of it.
import { expect } from 'chai'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import type { CheckFinding } from '../../src/author/check/kinds.ts'
import { createReplicaCheck } from '../../src/author/check/on-replica.ts'
import type { Period } from '../../src/model/terms.ts'
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { folderOf, tenancyIn } from './corpus.ts'

const ZONES =
  'UTC Europe/Moscow Asia/Omsk Europe/London Europe/Dublin Atlantic/Azores America/Havana America/New_York America/St_Johns America/Sao_Paulo America/Santiago America/Asuncion Asia/Beirut Asia/Gaza Asia/Amman Asia/Tehran Asia/Kathmandu Asia/Kolkata Africa/Casablanca Australia/Adelaide Australia/Lord_Howe Pacific/Chatham Pacific/Kiritimati Pacific/Pago_Pago'.split(
    ' ',
  )
const YEAR = 2018
const [DAY_MS, QUARTER_MS] = [86_400_000, 900_000]

const localTime = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return (ms: number) => format.format(ms)
}
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Of the definitions here, each of which has some of these columns. */
interface Row {
  readonly day: string
  readonly orders: string
  readonly at: Date
}

interface Rows {
  /** By local day. */
  readonly counts: ReadonlyMap<string, number>
  readonly instants: readonly number[]
  /** Of a month, of the year, and of the days when clocks change, the days before and after. */
  readonly periods: readonly Period[]
}

/** By the calendar of Node alone. */
function rowsIn(timeZone: string): Rows {
  const local = localTime(timeZone)
  const offsetAt = (ms: number) => Date.parse(`${local(ms).replace(' ', 'T')}Z`) - ms
  const instants: number[] = []
  const changes: number[] = []
  for (let day = Date.UTC(YEAR - 1, 11, 30); day <= Date.UTC(YEAR + 1, 0, 2); day += DAY_MS) {
    const [before, after] = [offsetAt(day - DAY_MS), offsetAt(day + DAY_MS)]
    const midnights = [...new Set([day - before, day - after])]
    instants.push(...midnights.flatMap(ms => [ms - 1, ms]))
    if (before === after) continue
    changes.push(day)
    for (let at = 0; at < 96; at++) instants.push(day - before + at * QUARTER_MS)
  }
  const counts = new Map<string, number>()
  for (const ms of instants) {
    const day = local(ms).slice(0, 10)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  const period = (start: number, end: number) => ({ start: isoDay(start), end: isoDay(end) })
  const days = changes.slice(0, 6).map(day => period(day, day + DAY_MS))
  const year = period(Date.UTC(YEAR, 0), Date.UTC(YEAR + 1, 0))
  return {
    counts,
    instants,
    periods: [year, period(Date.UTC(YEAR, 2), Date.UTC(YEAR, 3)), ...days],
  }
}

const ROWS = ZONES.map(rowsIn)

/** Columns as the framework makes them: the table, an instant and a day. */
const PRODUCTS = [
  {
    name: 'rails',
    table: 'rails_orders',
    at: 'created_at',
    day: 'placed_on',
    columns:
      'account_id bigint not null, created_at timestamp(6) not null, placed_on date not null',
    isUtc: true,
  },
  {
    name: 'django',
    table: 'shop_order',
    at: 'created_at',
    day: 'placed_on',
    columns: 'account_id bigint not null, created_at timestamptz not null, placed_on date not null',
    isUtc: false,
  },
  {
    name: 'prisma',
    table: '"Order"',
    at: '"createdAt"',
    day: '"placedOn"',
    columns:
      'account_id bigint not null, "createdAt" timestamp(3) not null, "placedOn" date not null',
    isUtc: true,
  },
] as const

/** Conditions that an author slips at: X is the instant, D the day. */
const CONDITIONS = [
  'X >= :period_start_at and X < :period_end_at',
  'X >= :period_start and X < :period_end',
  'X >= :period_start and X <= :period_end',
  'X >= :period_start_at and X < :period_end',
  "X >= :period_start_at and X < :period_end_at + interval '1 day'",
  'X > :period_start_at and X < :period_end_at',
  'X between :period_start and :period_end - 1',
  'X::date >= :period_start and X::date < :period_end',
  'date(X) >= :period_start and date(X) <= :period_end - 1',
  'X::date between :period_start and :period_end - 1',
  "X >= :period_start and X <= :period_end - interval '1 second'",
  "date_trunc('day', X) >= :period_start and date_trunc('day', X) < :period_end",
  '(X at time zone :time_zone)::date >= :period_start and (X at time zone :time_zone)::date < :period_end',
  "(X at time zone 'UTC' at time zone :time_zone)::date >= :period_start and (X at time zone 'UTC' at time zone :time_zone)::date < :period_end",
  'X at time zone :time_zone >= :period_start and X at time zone :time_zone < :period_end',
  'X at time zone :time_zone >= :period_start_at and X at time zone :time_zone < :period_end_at',
  "(X at time zone 'UTC')::date >= :period_start and (X at time zone 'UTC')::date < :period_end",
  "(X at time zone 'Europe/Moscow')::date >= :period_start and (X at time zone 'Europe/Moscow')::date < :period_end",
  'X >= :period_start::timestamptz and X < :period_end::timestamptz',
  'X >= :period_start::timestamp at time zone :time_zone and X < :period_end::timestamp at time zone :time_zone',
  'X >= :period_start_at and X < (:as_of + 1)::timestamp at time zone :time_zone',
  'X >= :period_start_at and X < :as_of + 1',
  'X >= :period_start_at and X <= :as_of',
  'X >= :period_start_at',
  'D >= :period_start and D < :period_end',
  'D >= :period_start_at and D < :period_end_at',
  'D >= :period_start and D <= :period_end',
  '(D at time zone :time_zone)::date >= :period_start and (D at time zone :time_zone)::date < :period_end',
  "daterange(:period_start, :period_end, '[]') @> D",
]

/** Instants that an author shows. */
const INSTANTS = [
  'X',
  'X at time zone :time_zone',
  "X at time zone 'UTC'",
  "X at time zone 'UTC' at time zone :time_zone",
]

/** Days that an author shows. */
const DAYS = [
  'X::date',
  "to_char(X, 'YYYY-MM-DD')",
  "date_trunc('day', X)::date",
  '(X at time zone :time_zone)::date',
  "(X at time zone 'UTC' at time zone :time_zone)::date",
  "(X at time zone 'UTC')::date",
  'make_date(extract(year from X)::int, extract(month from X)::int, extract(day from X)::int)',
]

const IDS =
  /^(?:prepare|session-day|date-and-instant|session-midnight|utc-timestamp|literal-zone|inclusive-end|moved-end|missing-end|series-end|session-zone)$/
const MESSAGE =
  /^(.*?) (?:compares a|is in the time zone|takes .* for a|moves a|is the later|is midnight|is not the time|as the end of|includes the|leaves out|without an end|and before).*, expected (.*)$/
const OTHER_TYPE = /^column "at" is .* for datetime: (.*)$/
const OR_UTC = ', of a timestamp without time zone '

function definition(table: string, day: string, condition: string): string {
  return `/*---
title: Orders
columns:
  day: { title: Day, type: text }
  orders: { title: Orders, type: integer, total: sum(orders) }
key: [day]
summary: Sold {orders}.
---*/
select (${day})::text as day, count(*) as orders
from ${table}
where ${condition.replaceAll(/ and (?=X|D|\(|date)/g, '\nand ')}
group by 1
order by 1
`
}

async function findingsOfFolder(directory: string, ask?: AskReplica): Promise<CheckFinding[]> {
  const folder = await readToCheck(directory, parseSql)
  return checkFile(folder.files[0]!, ask)
}

const shownInstants = (table: string, instant: string) => `/*---
title: Orders
columns:
  name: { title: Name, type: text }
  at: { title: At, type: datetime, total: none }
key: [at]
summary: Sold {row_count}.
---*/
select ${instant} as at, 'order' as name
from ${table}
where X >= :period_start_at
and X < :period_end_at
order by at
`

for (const { name, table, at, day, columns, isUtc } of PRODUCTS) {
  describe(`advice on times for ${name}`, function () {
    this.timeout(60_000)
    let client: DatabaseClient
    let ask: AskReplica
    const right = new Set<string>()
    const bare = table.replaceAll('"', '')
    const tenancy = `${bare}: account_id\n`
    const X = `${table}.${at}`
    const localDay = `(${X} at time zone ${isUtc ? "'UTC' at time zone " : ''}:time_zone)::date`

    before(async () => {
      const { change, replicaUrl } = await createTestDatabase(`svodka_${name}`)
      const values = ROWS.flatMap(({ instants }, index) => {
        const local = localTime(ZONES[index]!)
        return instants.map(
          ms => `(${index},'${new Date(ms).toISOString()}','${local(ms).slice(0, 10)}')`,
        )
      })
      await change(
        `set timezone = 'UTC'; create table ${table} (${columns}); insert into ${table} values ${values.join()}; create index on ${table} (account_id, ${at})`,
      )
      client = await connectTo(replicaUrl, '-c timezone=UTC')
      ask = await createReplicaCheck({
        clients: [client],
        organizations: [6].map(index => ({
          id: `${index}`,
          idType: 'bigint',
          timeZone: ZONES[index]!,
          entitled: true,
        })),
        tenancy: tenancyIn(tenancy),
        period: { start: `${YEAR}-10-01`, end: `${YEAR}-12-01` },
        now: () => Date.UTC(YEAR + 2, 0),
      })
    })
    after(() => client?.end())

    /** By text, of the text alone and on the database: different advice leads to the same text. */
    const known = new Map<string, readonly CheckFinding[]>()
    async function findingsIn(text: string, asked?: AskReplica): Promise<readonly CheckFinding[]> {
      const key = `${asked !== undefined} ${text}`
      const directory = known.has(key) ? '' : folderOf({ 'reports/a/orders.sql': text }, tenancy)
      const found = known.get(key) ?? (await findingsOfFolder(directory, asked))
      known.set(key, found)
      return found
    }

    /** The definition after all advice, of the text alone first. */
    async function followed(given: string): Promise<{ text: string; steps: string[] }> {
      const steps: string[] = []
      let text = given
      for (let asked: AskReplica | undefined; ;) {
        const all = await findingsIn(text, asked)
        const advice = all.find(({ id }) => IDS.test(id))
        if (advice === undefined && asked !== undefined) {
          const others = all.filter(({ id }) => !/^(?:no-period|row-order|key)$/.test(id))
          expect(others, steps.join('\n')).to.deep.equal([])
          return { text, steps }
        }
        if (advice === undefined) {
          asked = ask
          continue
        }
        const { message, line = 0 } = advice
        const [, instant] = OTHER_TYPE.exec(message) ?? []
        if (instant !== undefined) {
          text = text.replace(/(?<=\nselect )(.*)(?= as at,)/, () => instant)
          steps.push(message)
          continue
        }
        const [, found = '', expected = ''] = MESSAGE.exec(message) ?? []
        const [first = '', ofUtc] = expected.split(OR_UTC)
        const pasted = isUtc ? (ofUtc ?? first) : first
        const lines = text.split('\n')
        lines[line - 1] = lines[line - 1]!.replace(found, () => pasted)
        const changed = lines.join('\n')
        expect(changed, `${message}\n${text}`).to.not.equal(text)
        steps.push(message)
        expect(steps.length, steps.join('\n')).to.be.below(12)
        text = changed
      }
    }

    /** Calls back with rows of each time zone and period. */
    async function execute(
      text: string,
      each: (rows: readonly Row[], of: Rows, period: Period, where: string) => void,
    ): Promise<void> {
      const directory = folderOf({ 'reports/a/orders.sql': text }, tenancy)
      const { catalog } = await readToCheck(directory, parseSql)
      const { statement } = catalog!.reports.get('orders')!.source
      for (const [index, of] of ROWS.entries()) {
        const timeZone = ZONES[index]!
        for (const period of of.periods) {
          const [today, now] = [`${YEAR + 2}-01-01`, `${YEAR + 2}-01-01T00:00:00Z`]
          const bindings = { organizationId: `${index}`, period, today, now, timeZone }
          const values = [...statement.values(bindings)]
          const { rows } = await client.query<Row>(statement.text('bigint'), values)
          each(rows, of, period, `${timeZone}, ${period.start} to ${period.end}:\n${text}`)
        }
      }
    }

    /** Rows by day for each time zone and period are those of Node. */
    async function expectRight(text: string, steps: readonly string[]): Promise<void> {
      if (right.has(text)) return
      await execute(text, (rows, { counts }, period, where) => {
        const found = rows.map(row => `${row.day}: ${row.orders}`)
        const expected = [...counts].flatMap(([on, count]) =>
          on >= period.start && on < period.end ? `${on}: ${count}` : [],
        )
        expect(found, `${where}\n${steps.join('\n')}`).to.deep.equal(expected.toSorted())
      })
      right.add(text)
    }

    const put = (sql: string) =>
      sql.replaceAll(/\bX\b/g, X).replaceAll(/\bD\b(?!')/g, `${table}.${day}`)
    const all = [
      ...CONDITIONS.map(
        condition => [condition.includes('D') ? 'D' : localDay, condition] as const,
      ),
      ...DAYS.map(shown => [shown, CONDITIONS[0]!] as const),
    ]
    const isOf = (index: number) => IS_PROOF || !isUtc || (index % 2 === 0) === (name === 'rails')
    for (const [shown, condition] of all.filter((_, index) => isOf(index))) {
      it(shown === localDay ? condition : `${shown} where ${condition}`, async () => {
        const { text, steps } = await followed(put(definition(table, shown, condition)))
        await expectRight(text, steps)
      })
    }
    for (const instant of INSTANTS) {
      it(`${instant} as a datetime`, async () => {
        const { text, steps } = await followed(put(shownInstants(table, instant)))
        await execute(text, (rows, { instants }, { start, end }, where) => {
          const found = rows.map(row => row.at.getTime())
          const days = localTime(/^\S+(?=,)/.exec(where)![0])
          const isIn = (ms: number) => days(ms).slice(0, 10) >= start && days(ms).slice(0, 10) < end
          const expected = instants.filter(isIn).toSorted((a, b) => a - b)
          expect(found, `${where}\n${steps.join('\n')}`).to.deep.equal(expected)
        })
      })
    }
  })
}

// Faults that only a database finds, each in a small definition; the museum has those that authors make most.
import { expect } from 'chai'
import type { AskReplica } from '../../src/check/check.ts'
import { askStandby } from './ask-standby.ts'
import { planted, type Planted } from './planted.ts'

interface Fault extends Planted {
  readonly line: number
  /** A part of the message. */
  readonly message: string
}

const TWO = [
  'name: { title: Имя, type: text }',
  'amount: { title: Сумма, type: money, total: none }',
]

/** Of one organization, ordered. The statement's first line is the file's twelfth. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'a table that is written with its schema and without the organization': {
    more: ['maxRows: 10000000'],
    sql: `
select operations.id::text as name, operations.amount_kopecks as amount
from public.operations
where operations.paid_on >= :period_start
  and operations.paid_on < :period_end
  and (:organization_id) is not null
order by operations.id`,
    line: 13,
    message: 'operations is read without its organization',
  },
  'the second of two scans of one table': {
    sql: `
select own.id::text as name, own.amount_kopecks as amount
from operations as own
where own.organization_id = :organization_id
  and own.paid_on >= :period_start
  and own.paid_on < :period_end
  and own.amount_kopecks > (
      select avg(others.amount_kopecks)
      from operations as others
      where others.paid_on < :period_end
  )
order by own.id`,
    line: 19,
    message: 'expected others.organization_id = :organization_id',
  },
  'a total that reads everybody': {
    columns: [
      'name: { title: Имя, type: text }',
      'amount: { title: Сумма, type: money, total: "(select max(id) from projects)" }',
    ],
    sql: `
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
order by accounts.id`,
    line: 5,
    message: 'in a total projects is read without its organization',
  },
  'a key that is a name': {
    more: ['key: [name]'],
    sql: `
select projects.name, 1 as amount
from projects
where projects.organization_id = :organization_id
  and :period_end > :period_start
order by projects.name collate "C", projects.id`,
    line: 7,
    message: 'rows whose names are the same have one name',
  },
  'one arm of a union': {
    sql: `
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from accounts
where accounts.organization_id = :organization_id
  and :period_end > :period_start
union all
select 'project ' || projects.id, 0
from projects
order by name`,
    line: 18,
    message: 'projects is read without its organization',
  },
  'a number of rows that goes by an instant alone': {
    columns: TWO,
    sql: `
select
    deals.id::text as name,
    row_number() over (order by deals.created_at) as amount
from deals
where deals.organization_id = :organization_id
  and deals.created_at >= :period_start_at
  and deals.created_at < :period_end_at
order by deals.id`,
    line: 14,
    message: 'column "amount" hangs on the order in which rows happen to lie',
  },
  'the last of each, by an instant alone': {
    columns: TWO,
    sql: `
select newest.id::text as name, newest.amount_kopecks as amount
from (
    select distinct on (deals.manager_id) deals.manager_id, deals.id, deals.amount_kopecks
    from deals
    where deals.organization_id = :organization_id
      and deals.created_at >= :period_start_at
      and deals.created_at < :period_end_at
    order by deals.manager_id, deals.created_at desc
) as newest
order by newest.manager_id`,
    line: 12,
    message: 'hangs on the order in which rows happen to lie',
  },
  'an instant of another name that becomes a day': {
    columns: ['name: { title: Имя, type: text }', 'day: { title: День, type: date, total: none }'],
    sql: `
with moments as (
    select deals.id, deals.created_at as moment
    from deals
    where deals.organization_id = :organization_id
      and deals.created_at >= :period_start_at
      and deals.created_at < :period_end_at
)
select
    moments.id::text as name,
    moments.moment::date as day
from moments
order by moments.id`,
    line: 21,
    message: "the answer hangs on the session's time zone",
  },
  'a place that goes by the collation': {
    columns: TWO,
    sql: `
select
    employees.id::text as name,
    row_number() over (order by employees.full_name, employees.id) as amount
from employees
where employees.organization_id = :organization_id
  and :period_end > :period_start
order by employees.id`,
    line: 14,
    message: 'column "amount" hangs on the database\'s collation',
  },
  'a statement that takes too long': {
    more: ['timeout: 100ms'],
    sql: `
select many.number::text as name, many.number as amount
from generate_series(1, 30000000) as many (number)
where (:organization_id) is not null
  and many.number % 29999999 = 0
  and :period_end > :period_start
order by many.number`,
    line: 7,
    message:
      'ran out of its time (organization business, this year), expected an answer within 100ms',
  },
  'a month before Christ': {
    columns: [
      'name: { title: Имя, type: text }',
      'month: { title: Месяц, type: month, total: none }',
    ],
    sql: `
select projects.id::text as name, date '0044-03-15 BC' as month
from projects
where projects.organization_id = :organization_id
  and :period_end > :period_start
order by projects.id`,
    line: 5,
    message: 'column "month" is "0044-03-15 BC" in a row',
  },
  'a month that there is not': {
    columns: [
      'name: { title: Имя, type: text }',
      'month: { title: Месяц, type: month, total: none }',
    ],
    sql: `
select projects.id::text as name, '2026-13' as month
from projects
where projects.organization_id = :organization_id
  and :period_end > :period_start
order by projects.id`,
    line: 5,
    message: 'column "month" is "2026-13" in a row',
  },
  'a share that is no number': {
    columns: [
      'name: { title: Имя, type: text }',
      'share: { title: Доля, type: percent, total: "\'NaN\'::numeric" }',
    ],
    sql: `
select projects.id::text as name, 1.0 as share
from projects
where projects.organization_id = :organization_id
  and :period_end > :period_start
order by projects.id`,
    line: 5,
    message: 'column "share" is "NaN" in the totals row',
  },
}

/** What is right although it is written otherwise than usual. */
const SOUND: Readonly<Record<string, Planted>> = {
  'gives each joined row its part of a sum': {
    columns: TWO,
    sql: `
with parts as (
    select
        deal_stage_visits.stage_id,
        deals.amount_kopecks::numeric / count(*) over (partition by deals.id) as part
    from deals
    join deal_stage_visits
        on deal_stage_visits.organization_id = :organization_id
        and deal_stage_visits.deal_id = deals.id
    where deals.organization_id = :organization_id
      and deals.created_at >= :period_start_at
      and deals.created_at < :period_end_at
)
select parts.stage_id::text as name, round(sum(parts.part)) as amount
from parts
group by parts.stage_id
order by parts.stage_id`,
  },
  'hangs on the instant at which it is asked': {
    columns: [
      'name: { title: Имя, type: text }',
      'age: { title: Часов, type: number, total: none }',
    ],
    sql: `
select deals.id::text as name, extract(epoch from :now - deals.created_at) / 3600 as age
from deals
where deals.organization_id = :organization_id
  and deals.created_at >= :period_start_at
  and deals.created_at < :period_end_at
order by deals.id`,
  },
  'takes the organization from the table that it is joined to': {
    sql: `
select deals.id::text as name, deals.amount_kopecks as amount
from deals
join deal_stages
    on deal_stages.organization_id = deals.organization_id
    and deal_stages.id = deals.stage_id
where deals.organization_id = :organization_id
  and deals.created_at >= :period_start_at
  and deals.created_at < :period_end_at
order by deals.id`,
  },
  'takes the organization from a subquery': {
    sql: `
select accounts.id::text as name, accounts.opening_balance_kopecks as amount
from accounts
where accounts.organization_id = (select :organization_id)
  and :period_end > :period_start
order by accounts.id`,
  },
  'orders by what is unique in the product without being the key': {
    sql: `
select deal_stages.name, 0 as amount
from deal_stages
where deal_stages.organization_id = :organization_id
  and :period_end > :period_start
order by deal_stages.position`,
  },
}

describe('a definition that is asked on the standby', () => {
  let ask: AskReplica
  let close: () => Promise<void>

  before(async function () {
    this.timeout(30_000)
    ;({ ask, close } = await askStandby())
  })
  after(() => close())

  for (const [what, { line, message, ...definition }] of Object.entries(FAULTS)) {
    it(`is found to have ${what}`, async () => {
      const { findings: found } = await ask(planted(definition))
      expect(found.map(({ line }) => line)).to.deep.equal([line])
      expect(found[0]?.message).to.include(message)
    })
  }

  for (const [what, definition] of Object.entries(SOUND)) {
    it(`has no finding where it ${what}`, async () => {
      expect((await ask(planted(definition))).findings).to.deep.equal([])
    })
  }

  it('says all that is wrong with it at once', async () => {
    const { findings: found } = await ask(
      planted({
        columns: [
          'name: { title: Имя, type: text }',
          'amounts: { title: Сумма, type: money, total: sum(amounts) }',
          'share: { title: Доля, type: percent, total: "round(avg(missing))" }',
        ],
        more: ['key: [name]'],
        sql: `
select categories.section as name, 1 as amount, 1.0 as share
from categories
where :period_end > :period_start
  and (:organization_id) is not null
order by categories.id`,
      }),
    )
    expect(found.map(({ line, message }) => `${line}: ${message.slice(0, 40)}`)).to.deep.equal([
      '5: column "amounts" is not selected, expect',
      '6: columns.share.total: column "missing" do',
      '8: key: two rows have name "income" (organi',
      '13: categories is read without its organizat',
    ])
  })
})

// Duplicated rows (fan-out) in a product with many kinds of keys: `bad` and `good` statements for the experiment.
import { expect } from 'chai'
import { productSql } from '../harness/fixtures.ts'
import { loaded } from './bad-definitions.ts'
import { useProduct } from './use-product.ts'

const SCHEMA = productSql('orders')

/** Each order has three lines, two payments, one invoice, one courier; a stage is visited twice, by some orders. */
const ROWS = productSql('orders-rows')

const TENANCY = `
customers: shop
orders: shop
payments: shop
busy_orders: shop
lines: via orders (order_id = id)
order_tags: via orders (order_id = id)
invoices: via orders (order_id = id)
visits: via orders (order_id = id)
couriers: via orders (order_id = id)
notes: via orders (order_id = id)
budgets: via customers (customer_id = id)
products: shared
tags: shared
tariffs: shared
`
const MINE = 'o.shop = $1'
const LINES = 'join lines as l on l.order_id = o.id'
const PAYMENTS = 'left join payments as p on p.shop = $1 and p.order_id = o.id'

const BAD = `
select sum(o.freight) from orders as o ${LINES} where ${MINE}
select sum(o.freight), sum(l.amount) from orders as o, lines as l where ${MINE} and l.order_id = o.id
select c.name, sum(l.amount), sum(p.amount) from customers as c join orders as o on o.customer_id = c.id ${LINES} ${PAYMENTS} where ${MINE} group by c.id, c.name
select sum(o.freight) filter (where o.status = 'open') from orders as o ${LINES} and l.quantity > 0 where ${MINE}
select sum(i.total) from invoices as i join lines as l using (order_id) join orders as o on o.id = i.order_id where ${MINE}
select sum(o.freight) from customers as c join orders as o on o.customer_id = c.id ${LINES} where ${MINE} and c.shop = $1 and c.id = $1
with listed as (select o.id, o.freight, l.amount from orders as o ${LINES} where ${MINE}) select sum(freight), sum(amount) from listed
with report as materialized (select o.id, o.freight, l.position from orders as o ${LINES} where ${MINE}) select true, sum(freight) from report union all select false, freight from report
select sum(o.freight) from orders as o join (select l.order_id, l.amount from lines as l) as x on x.order_id = o.id where ${MINE}
select sum(coalesce(o.freight, 0) * 2) from orders as o ${PAYMENTS} and p.paid_on >= date '2026-01-01' and p.paid_on < date '2027-01-01' where ${MINE}
select o.status, count(*) from orders as o ${LINES} ${PAYMENTS} where ${MINE} group by o.status
select (select sum(o.freight) from orders as o ${LINES} where ${MINE}) as freight
select sum(o.freight) from orders as o join payments as p on p.shop = $1 where ${MINE}
select sum(o.freight) from orders as o join notes as n on n.order_id = o.id where ${MINE}
select sum(o.freight) FILTER (where (o.status = 'open' or o.id > 3) and o.freight > 0) from orders as o join notes as n on n.order_id = o.id where ${MINE}
`

const GOOD = `
select sum(o.freight) from orders as o join invoices as i (number, customer_id, total) using (customer_id) where ${MINE}
select count(distinct o.id), max(o.freight), min(o.freight), bool_and(o.status = 'open') from orders as o ${LINES} where ${MINE}
select count(*) filter (where o.status = 'open'), sum(case when o.status = 'open' then 1 else 0 end) from orders as o ${LINES} where ${MINE}
select sum(pr.weight), sum(pr.weight * l.quantity) from lines as l join orders as o on o.id = l.order_id join products as pr on pr.id = l.product_id where ${MINE}
select t.name, sum(o.freight), count(*) from orders as o join order_tags as ot on ot.order_id = o.id join tags as t on t.id = ot.tag_id where ${MINE} group by t.id, t.name
select sum(o.freight) from orders as o join visits as v on v.order_id = o.id and v.left_at is null where ${MINE}
select sum(o.freight) from orders as o join lines as l on l.order_id = o.id where ${MINE} and l.position = 1
select sum(o.freight) from orders as o left join lines as l on l.order_id = o.id where ${MINE} and l.order_id is null
select sum(o.freight * t.price) from orders as o join tariffs as t on o.placed_on >= t.valid_from and o.placed_on < t.valid_until where ${MINE}
with firsts as (select distinct on (l.order_id) l.order_id, l.amount from lines as l order by l.order_id, l.position) select sum(o.freight) from orders as o join firsts on firsts.order_id = o.id where ${MINE}
with numbered as (select l.order_id, l.amount, row_number() over (partition by l.order_id order by l.amount) as number from lines as l) select sum(o.freight) from orders as o join numbered as n on n.order_id = o.id and n.number = 1 where ${MINE}
select sum(n.freight) from (select o.freight, row_number() over (partition by o.id order by l.position) as number from orders as o ${LINES} where ${MINE}) as n where n.number = 1
select sum(o.freight) from orders as o cross join lateral (select l.amount from lines as l where l.order_id = o.id order by l.amount desc limit 1) as best where ${MINE}
select m.month, sum(o.freight) from generate_series(date '2026-01-01', date '2026-12-01', interval '1 month') as m (month) left join orders as o on ${MINE} and o.placed_on < m.month group by m.month
with months as (select month::date from generate_series(date '2026-01-01', date '2026-12-01', interval '1 month') as month) select months.month, sum(o.freight) from months left join orders as o on ${MINE} and o.placed_on < months.month group by months.month
select sum(o.freight / n.count) from orders as o join (select order_id, count(*) as count from lines group by order_id) as n on n.order_id = o.id ${LINES} where ${MINE}
select sum(s.part) from (select o.freight / count(*) over (partition by o.id) as part from orders as o ${LINES} where ${MINE}) as s
select sum(o.freight * 100 / b.amount) from orders as o left join budgets as b on b.customer_id = o.customer_id and b.month = date_trunc('month', o.placed_on)::date where ${MINE}
select sum(o.freight) from orders as o cross join (values (7)) as v (n) where ${MINE}
select o.id, sum(l.amount) + max(o.freight) from orders as o ${LINES} where ${MINE} group by o.id
select o.id, avg(o.freight), sum(l.amount) from orders as o ${LINES} where ${MINE} group by o.id
select c.region, sum(o.freight) from orders as o natural join customers as c where ${MINE} group by c.region
select sum(o.freight) from busy_orders as b join orders as o on o.id = b.id where ${MINE}
select o.placed_on, sum(o.freight) from orders as o join customers as c on lower(c.id::text) = lower(o.customer_id::text) where ${MINE} group by 1
select c.id, (select sum(l.amount) from lines as l join orders as o on o.id = l.order_id where o.customer_id = c.id) from customers as c where c.shop = $1
with a as (select o.id, o.freight from orders as o where ${MINE} union all select o.id, o.freight from orders as o where ${MINE}) select sum(freight) from a
with recursive t as (select id, name from tags where id = 1 union all select tags.id, tags.name from tags join t on tags.id = t.id + 1) select t.id, sum(o.freight) from t join order_tags as ot on ot.tag_id = t.id join orders as o on o.id = ot.order_id where ${MINE} group by t.id
with b as (select o.customer_id, sum(o.freight) as freight from orders as o where ${MINE} group by o.customer_id) select sum(b.freight) from b left join (select id, name from customers group by id, name) as c on c.id = b.customer_id left join (select customer_id, min(placed_on) as first, region from orders join customers on customers.id = orders.customer_id group by customer_id, region) as a on a.customer_id = b.customer_id
select sum(o.freight) from orders as o left join (select distinct order_id from payments) as p on p.order_id = o.id where ${MINE} and p.order_id is not null
select sum(o.freight) from orders as o join couriers as c on c.order_id = o.id where ${MINE}
`

describe('duplicated rows', () => {
  const product = useProduct({
    database: 'svodka_fan_out',
    schema: SCHEMA + ROWS,
    tenancy: TENANCY,
    ids: ['1'],
    idType: 'smallint',
  })

  async function found(sql: string): Promise<string[]> {
    const text = sql.trim().replaceAll('$1', ':organization_id')
    const { findings } = await product.found(await loaded(`${text} order by 1`, TENANCY))
    return findings.filter(message => message.includes('aggregated before the join'))
  }

  for (const sql of BAD.split('\n').filter(Boolean)) {
    it(`are found in: ${sql}`, async () => {
      expect(await found(sql)).to.have.length(1)
    })
  }
  for (const sql of GOOD.split('\n').filter(Boolean)) {
    it(`are not in: ${sql}`, async () => {
      expect(await found(sql)).to.deep.equal([])
    })
  }
})

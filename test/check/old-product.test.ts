// A product with rows of 1996 to 1998: definitions are executed for those years.
import { expect } from 'chai'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { productSql } from '../harness/fixtures.ts'
import { folderOf } from './corpus.ts'
import { useProduct } from './use-product.ts'

const SCHEMA = productSql('old')
const TENANCY = 'orders: ship_via\nplaces: ship_via\n'

const NAMED = 'orders.order_id::text as name, orders.cents as amount'

/** Its statement begins on line 9. @param matter a further line of front matter */
async function loaded(statement: string, matter = ''): Promise<ReportDefinition> {
  const text = `/*---
title: Orders
columns:
  name:   { title: Name, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [name]
summary: Orders of {amount}.
${matter}---*/
${statement.trim()}
`
  const directory = folderOf({ 'reports/a/orders.sql': text }, TENANCY)
  return (await loadCatalog(directory, parseSql)).reports.get('orders')!
}

const reportOf = (items: string, order = 'orders.order_id'): Promise<ReportDefinition> =>
  loaded(
    `
select ${items}
from orders
where orders.ship_via = :organization_id
  and orders.order_date >= :period_start
  and orders.order_date < :period_end
order by ${order}`,
  )

describe('a product of other years', () => {
  const { createCheck, found } = useProduct({
    database: 'svodka_old',
    schema: SCHEMA,
    tenancy: TENANCY,
    ids: ['1', '2', '3'],
    idType: 'smallint',
  })

  it('has rows and no finding for a correct definition', async () => {
    expect(await found(await reportOf(NAMED))).to.deep.equal({
      findings: [],
      unproved: [],
      hasRows: true,
    })
  })

  for (const [title, items, order, words] of [
    ['rows that tie', NAMED, 'orders.country', '14: the order of the rows depends on'],
    [
      'a division by zero',
      NAMED.replace('cents', 'cents / orders.lines'),
      undefined,
      '9: division by zero, expected a result for every organization (organization 1, 1998-01-01 to 1998-12-31)',
    ],
    [
      'kopecks with a fraction',
      NAMED.replace('cents', 'cents * 0.333'),
      undefined,
      'expected money, a whole number of its smallest unit',
    ],
    [
      'a text of the session',
      `orders.scanned::text || orders.order_id as name, orders.cents as amount`,
      undefined,
      'depends on the session time zone',
    ],
  ] as const) {
    it(`shows ${title}`, async () => {
      const { findings } = await found(await reportOf(items, order))
      expect(findings.join('\n')).to.include(words)
    })
  }

  it('shows a sequential scan that the budget forbids', async () => {
    const definition = await loaded(
      `
select orders.country as name, sum(orders.cents) as amount
from orders
where :period_end > :period_start
group by orders.country
order by orders.country`,
      'budget: { buffersPerThousandRows: 5000, seqScan: 8KiB }\n',
    )
    const { findings } = await found(definition)
    expect(findings.join('\n')).to.match(/^8: budget: found a sequential scan of orders/)
  })

  it('is executed for no period other than the given one', async () => {
    const faulty = await reportOf(NAMED.replace('cents', 'cents / orders.lines'))
    const later = await found(faulty, await createCheck({ start: '2020-01-01', end: '2020-02-01' }))
    expect(later.hasRows).to.equal(false)
    expect(later.findings.join('\n')).not.to.include('2020')
    const check = await createCheck({ start: '1997-01-01', end: '1997-02-01' })
    expect((await found(await reportOf(NAMED), check)).hasRows).to.equal(true)
  })
})

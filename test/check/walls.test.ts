// What an author cannot guess, the message has as text to paste: it is pasted here, and then there is no finding.
import { expect } from 'chai'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import { createReplicaCheck } from '../../src/author/check/on-replica.ts'
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { folderOf, tenancyIn } from './corpus.ts'

const SCHEMA = `
create table shops (id bigint primary key, organization_id bigint not null, name text);
create table sales (id bigint primary key, organization_id bigint not null, shop_id bigint not null references shops, day date not null, amount bigint not null);
insert into shops select n, 1, case when n > 1 then 'Shop ' || chr(64 + n) end from generate_series(1, 20) as n;
insert into sales select n, 1, n % 20 + 1, date '2026-01-01' + n % 300, n * 100 from generate_series(1, 2000) as n`
const TENANCY = 'shops: organization_id\nsales: organization_id\n'

const definition = (order: string, more = '', hidden = ''): string => `/*---
title: Shops
columns:
  shop: { title: Shop, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
  shop_id: { title: Number, type: integer, ${hidden || 'total: none'} }
key: [shop_id]
summary: Sold for {amount}.
---*/
select
    coalesce(shops.name, 'none') as shop,
    sum(sales.amount) as amount,
    shops.id as shop_id
from sales
join shops on shops.id = sales.shop_id
${more}
group by shops.id, shops.name
order by ${order}
`
const OF_PERIOD = 'where sales.day >= :period_start and sales.day < :period_end'

describe('a wall', () => {
  let client: DatabaseClient
  let ask: AskReplica

  before(async () => {
    const { replicaUrl } = await createTestDatabase('svodka_walls', SCHEMA)
    client = await connectTo(replicaUrl, '-c timezone=UTC')
    ask = await createReplicaCheck({
      clients: [client],
      organizations: [{ id: '1', idType: 'bigint', timeZone: 'Asia/Omsk', entitled: true }],
      tenancy: tenancyIn(TENANCY),
      now: () => Date.parse('2026-08-01T00:00:00Z'),
    })
  })
  after(() => client?.end())

  async function findings(text: string): Promise<string[]> {
    const folder = await readToCheck(folderOf({ 'reports/a/x.sql': text }, TENANCY), parseSql)
    const found = await checkFile(folder.files[0]!, ask)
    return found.map(({ id, message }) => `${message} [${id}]`)
  }

  /** @returns the first group of the only finding */
  async function pasted(text: string, message: RegExp): Promise<string> {
    const [found = '', ...others] = await findings(text)
    expect(others).to.deep.equal([])
    expect(found).to.match(message)
    return message.exec(found)![1]!
  }

  it('has a cure: collate behind a name of the select, which PostgreSQL refuses', async () => {
    const text = definition('shop, shop_id', OF_PERIOD)
    const [refused] = await findings(text.replace('by shop,', 'by shop collate "C",'))
    expect(refused).to.match(/^column "shop" does not exist.* \[prepare\]$/)
    const item = await pasted(text, /expected an order by with (.*) in the select \[collation\]$/)
    expect(
      await findings(text.replace("coalesce(shops.name, 'none') as shop", item)),
    ).to.deep.equal([])
    const plain = definition('shops.name, shop_id', OF_PERIOD)
    const key = await pasted(plain, /expected an order by with (.*) in the order by \[collation\]$/)
    expect(
      await findings(plain.replace('by shops.name, shop_id', `by ${key}, shop_id`)),
    ).to.deep.equal([])
  })

  it('has a cure: a list of the first ones', async () => {
    const text = definition('amount desc, shop_id limit 10', OF_PERIOD)
    const line = await pasted(text, /or for a list of the first ones "(.*)" \[limit\]$/)
    expect(await findings(text.replace('limit 10', line))).to.deep.equal([])
  })

  it('has a cure: the present state', async () => {
    for (const condition of ['', "where shops.name <> '' or sales.amount > 0"]) {
      const text = definition('amount desc, shop_id', condition)
      const where = await pasted(text, /in other periods, (where .*) \[no-period\]$/)
      const changed =
        condition === ''
          ? text.replace('\n\ngroup', `\n${where}\ngroup`)
          : text.replace(condition, where)
      expect(await findings(changed)).to.deep.equal([])
    }
  })

  it('has a cure: a key that nobody should see', async () => {
    const text = definition('amount desc, shop_id', OF_PERIOD, 'hidden: true')
    const [message = ''] = await findings(text)
    const [, cure = '', instead = ''] = /: "(.*)" in place of "(.*)" \[load\]$/.exec(message) ?? []
    expect(await findings(text.replace(instead, cure))).to.deep.equal([])
  })
})

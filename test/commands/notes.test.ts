// Notes on definitions that could be faster, where their engineers read them: `check`, `explain` and the log.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { shopsFolder } from '../contract/gateways.ts'
import { processesOfTests } from '../harness/shops-gateway.ts'
import { sharedShops, SHOPS_SQL_DIR, shopsEnvironment } from '../harness/shops.ts'
import { command } from './in-process.ts'

const TENANCY = `${readFileSync(join(SHOPS_SQL_DIR, 'tenancy.yaml'), 'utf8')}
shops: id
shop_keys: via shops (shop_id = id)
`

const report = (title: string, from: string): string => `/*---
title: ${title}
columns:
  plan: { title: План, type: text }
key: [plan]
summary: Строк {row_count}.
---*/
select shops.plan
from ${from}
order by shops.plan
`

const FENCED = report(
  'Ключи',
  'shops join shop_keys on shop_keys.shop_id = shops.id where 1 / shop_keys.shop_id >= 0',
)
const GROUPED = report(
  'Магазины',
  'shops\njoin (select k.shop_id, count(*) from shop_keys as k group by k.shop_id) as counted on counted.shop_id = shops.id',
)

const MAY_FAIL =
  '9: the operator / may fail on a row of another organization, so rows of children are selected before it: twice the buffers'
const NOT_JOINED =
  '10: shop_keys is not joined to shops by "shops.id = shop_keys.shop_id" wherever it is read'

describe('a definition whose rows of children are dear', () => {
  const start = processesOfTests()
  const SQL_DIR = shopsFolder({
    'tenancy.yaml': TENANCY,
    'access/organizations.sql':
      "select id as organization_id, 'shop_' || id as nickname, zone as time_zone from shops",
    'reports/sales/fenced.sql': FENCED,
    'reports/sales/grouped.sql': GROUPED,
  })

  it('has notes of check', async () => {
    const { stdout } = await command('check fenced grouped receipts --notes', {
      DATABASE_URL: 'postgres://svodka@127.0.0.1:1/svodka',
      SQL_DIR,
    })
    const [fenced, grouped] = [MAY_FAIL, NOT_JOINED].map(note => note.replace(':', ': note:'))
    expect(stdout.match(/^.*: note: .*/gm)?.join('\n')).to.match(
      new RegExp(`^\\S+/fenced.sql:${fenced}.*\n\\S+/grouped.sql:${grouped}.*$`),
    )
  })

  for (const [code, note] of [
    ['fenced', MAY_FAIL],
    ['grouped', NOT_JOINED],
  ] as const) {
    it(`has a note of explain: ${code}`, async () => {
      const settings = { ...shopsEnvironment(await sharedShops()), SQL_DIR } as Record<
        string,
        string
      >
      const { stderr } = await command(`explain ${code} --org shop_1`, settings)
      expect(stderr).to.match(new RegExp(`^Note: \\S+/${code}.sql:${note}`))
    })
  }

  it('is in the log at load', async () => {
    const gateway = await start({ SQL_DIR })
    expect(gateway.out).to.contain(MAY_FAIL.slice(3)).and.contain(NOT_JOINED.slice(4, 30))
    expect(gateway.out).to.contain('sql/reports/sales/fenced.sql')
  })
})

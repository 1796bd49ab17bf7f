// Partitioned tables, views, materialized views, and a table of another schema.
import { expect } from 'chai'
import { productSql } from '../harness/fixtures.ts'
import { loaded } from './bad-definitions.ts'
import { useProduct } from './use-product.ts'

const SCHEMA = productSql('shapes')

const TENANCY = `
visits: organization_id
rooms: organization_id
all_rooms: organization_id
kept_rooms: organization_id
archive_rooms: { table: archive.rooms, tenancy: organization_id }
`

describe('relations of every kind', () => {
  const product = useProduct({
    database: 'svodka_shapes',
    schema: SCHEMA,
    tenancy: TENANCY,
    ids: ['1', '2', '77'],
  })

  async function found(table: string, order: string): Promise<string[]> {
    const definition = await loaded(
      `
select x.id::text as name, x.id as amount
from ${table} as x
where :period_end > :period_start
order by x.${order}`,
      TENANCY,
    )
    return (await product.found(definition)).findings
  }

  for (const table of ['visits', 'all_rooms', 'kept_rooms', 'archive_rooms']) {
    it(`need a complete order: ${table}`, async () => {
      expect(await found(table, 'id')).to.deep.equal([])
      const [tied, ...more] = await found(table, 'name')
      expect(tied).to.match(/^12: (two rows tie|the order of the rows depends)/)
      expect(more).to.deep.equal([])
    })
  }
})

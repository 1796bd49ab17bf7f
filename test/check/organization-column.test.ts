import { expect } from 'chai'
import { organizationColumn } from '../../src/check/organization-column.ts'
import { plantedMetrics } from './planted.ts'

function nameIn(...statements: string[]): string {
  const metricsFiles = new Map(statements.map((sql, at) => [String(at), plantedMetrics(sql)]))
  return organizationColumn({ reports: new Map(), metricsFiles })
}

describe('the column of the organization', () => {
  it('is the one that definitions compare with the placeholder', () => {
    const sql = 'select count(*) as figure from sales where :organization_id = sales.shop_id'
    expect(nameIn(sql)).to.equal('shop_id')
  })

  it('is the one that most of them compare', () => {
    const usual = 'select count(*) as figure from sales where sales.shop_id = :organization_id'
    const odd = 'select count(*) as figure from shops where shops.id = :organization_id'
    expect(nameIn(odd, usual, usual)).to.equal('shop_id')
  })

  it('is organization_id where none does', () => {
    expect(nameIn('select (:organization_id)::text::integer as figure')).to.equal('organization_id')
  })
})

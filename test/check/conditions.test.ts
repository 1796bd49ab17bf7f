import { expect } from 'chai'
import { carriesOrganization } from '../../src/check/conditions.ts'

const ID = '5d0a0000-0000-4000-8000-000000000001'
const wanted = { alias: 'operations', column: 'organization_id', organizationId: ID }
const own = `(operations.organization_id = '${ID}'::uuid)`

describe('the condition of a scan', () => {
  const held = {
    alone: own,
    'among others': `(${own} AND (operations.paid_on >= '2026-01-01'::date))`,
    'the other way round': `('${ID}'::uuid = operations.organization_id)`,
    'behind a cast': `((operations.organization_id)::text = '${ID}'::text)`,
    'in each of two alternatives': `((${own} AND (operations.id = 1)) OR (${own} AND (operations.id = 2)))`,
    'as the one of a list': `(operations.organization_id = ANY ('{${ID}}'::uuid[]))`,
    'as the one of a list that is made': `(operations.organization_id = ANY (ARRAY['${ID}'::uuid]))`,
    'not distinct from it': `(NOT (operations.organization_id IS DISTINCT FROM '${ID}'::uuid))`,
    'from another scan':
      '((operations.organization_id = deals.organization_id) AND (operations.id = deals.id))',
    'from a subquery': '(operations.organization_id = (InitPlan 1).col1)',
  }
  for (const [how, condition] of Object.entries(held)) {
    it(`carries the organization ${how}`, () => {
      expect(carriesOrganization(condition, wanted)).to.equal(true)
    })
  }

  const loose = {
    'in one of two alternatives': `(${own} OR (operations.paid_on IS NULL))`,
    "another organization's": own.replace('0001', '0002'),
    "another scan's": own.replaceAll('operations.', 'deals.'),
    'against itself': '(operations.organization_id = operations.organization_id)',
    denied: `(NOT ${own})`,
    'by more or less': own.replace(' = ', ' >= '),
    'inside of a call': `COALESCE(${own}, true)`,
    'in a text': `(operations.description = 'organization_id = ${ID}'::text)`,
    'as one of a list of two': `(operations.organization_id = ANY ('{${ID},${ID.replace('0001', '0002')}}'::uuid[]))`,
    'distinct from it': `(operations.organization_id IS DISTINCT FROM '${ID}'::uuid)`,
    nowhere: "(operations.paid_on >= '2026-01-01'::date)",
  }
  for (const [how, condition] of Object.entries(loose)) {
    it(`does not carry it ${how}`, () => {
      expect(carriesOrganization(condition, wanted)).to.equal(false)
    })
  }

  it('carries an organization that is a number', () => {
    const numbered = { alias: 'sales', column: 'shop_id', organizationId: '42' }
    expect(carriesOrganization('(sales.shop_id = 42)', numbered)).to.equal(true)
    expect(carriesOrganization("(sales.shop_id = '42'::bigint)", numbered)).to.equal(true)
    expect(carriesOrganization('(sales.shop_id = 421)', numbered)).to.equal(false)
  })
})

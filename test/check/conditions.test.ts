// Conditions as plans print them.
import { expect } from 'chai'
import { carriesOrganization } from '../../src/author/check/conditions.ts'

const ID = '5d0a0000-0000-4000-8000-000000000001'
const wanted = { alias: 'o', column: 'organization_id', organizationId: ID }
const own = `(o.organization_id = '${ID}'::uuid)`

const HELD = `
${own}
(${own} AND (o.paid_on >= '2026-01-01'::date))
('${ID}'::uuid = o.organization_id)
((o.organization_id)::text = '${ID}'::text)
((${own} AND (o.id = 1)) OR (${own} AND (o.id = 2)))
(o.organization_id = ANY ('{${ID}}'::uuid[]))
(o.organization_id = ANY (ARRAY['${ID}'::uuid]))
(NOT (o.organization_id IS DISTINCT FROM '${ID}'::uuid))
((o.organization_id = deals.organization_id) AND (o.id = deals.id))
(o.organization_id = (InitPlan 1).col1)`

const LOOSE = `
(${own} OR (o.paid_on IS NULL))
${own.replace('0001', '0002')}
${own.replace('o.', 'deals.')}
(o.organization_id = o.organization_id)
(NOT ${own})
${own.replace(' = ', ' >= ')}
COALESCE(${own}, true)
(o.description = 'organization_id = ${ID}'::text)
(o.organization_id = ANY ('{${ID},${ID.replace('0001', '0002')}}'::uuid[]))
(o.organization_id IS DISTINCT FROM '${ID}'::uuid)
(o.paid_on >= '2026-01-01'::date)`

describe('the condition of a scan', () => {
  for (const [carries, conditions] of [
    [true, HELD],
    [false, LOOSE],
  ] as const) {
    for (const condition of conditions.trim().split('\n')) {
      it(`${carries ? 'carries' : 'does not carry'} the organization in ${condition}`, () => {
        expect(carriesOrganization(condition, wanted)).to.equal(carries)
      })
    }
  }

  it('carries an organization that is a number', () => {
    const numbered = { alias: 'sales', column: 'shop_id', organizationId: '42' }
    const carried = [
      '(sales.shop_id = 42)',
      "(sales.shop_id = '42'::bigint)",
      '(sales.shop_id = 421)',
    ]
    expect(carried.map(text => carriesOrganization(text, numbered))).to.deep.equal([
      true,
      true,
      false,
    ])
  })
})

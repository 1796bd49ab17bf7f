// A definition reads its organization's rows: ten times as many other organizations cost nothing.
import { describeGrowth } from './growth.ts'
import { growTenfold } from './growing-product.ts'

await describeGrowth({
  title: 'other organizations',
  periods: ['this year', 'a month', 'all years'],
  steps: [growTenfold],
  planted: {
    'the whole of a table': `
      select sum(amount_kopecks) from operations
      where coalesce(organization_id = :organization_id, false)`,
    'the whole of a directory': `
      select count(*) from counterparties where coalesce(organization_id = :organization_id, name is null)`,
    'the period of all': `
      select count(description) from operations
      where coalesce(organization_id = :organization_id, false)
        and operation_date >= :period_start
        and operation_date < :period_end`,
    'an index from end to end': `
      select count(*) from requests
      where organization_id::text = (:organization_id)::text
        and coalesce(closed_at, 'infinity') >= :period_end_at`,
  },
  advice: 'Each condition needs an index that begins with organization_id.',
})

// A definition reads its organization's rows of its period: earlier years cost nothing, unless the result depends on
// them, as a balance does. Such definitions are excluded because their result changes with the years.
import { describeGrowth } from './growth.ts'
import { addHistory, TABLES_WITH_HISTORY } from './own-history.ts'

await describeGrowth({
  title: 'history',
  periods: ['last year', 'one day'],
  // A plan for a table of few pages reads all of it and changes as it grows, so history is added before measuring.
  steps: [
    (client, subject) => addHistory(client, subject, { from: 1, to: 10 }),
    (client, subject) => addHistory(client, subject, { from: 11, to: 50 }),
  ],
  tables: TABLES_WITH_HISTORY,
  planted: {
    'accruals by a day that no index has': `
      select category_id, sum(amount_kopecks) from operations
      where organization_id = :organization_id
        and operation_date + 0 >= :period_start
        and operation_date < :period_end
        and status = 'posted'
        and kind = 'income'
      group by category_id
      order by category_id`,
    'tasks by their creation alone': `
      select count(*) filter (where coalesce(completed_at, cancelled_at, 'infinity') >= :period_start_at) from tasks
      where organization_id = :organization_id
        and created_at < :period_end_at`,
    'visits of all deals': `
      select count(deal_stage_visits.to_stage_id) from deals
      left join (select distinct on (deal_id) deal_id, to_stage_id from deal_stage_visits
          where organization_id = :organization_id order by deal_id, left_at desc) as deal_stage_visits
          on deal_stage_visits.deal_id = deals.id
      where deals.organization_id = :organization_id
        and deals.lost_at >= :period_start_at
        and deals.lost_at < :period_end_at`,
  },
  excused: {
    profit_by_project:
      "it finds the documents of a period's movements among all lines and documents of the organization: a hash of these is cheaper than a look-up for each movement, and bounds on their ids made the median organization read six times as much",
  },
  advice:
    'Read a stretch of an index that begins with the organization and the day (sql/product/recommended-indexes.sql); where the years before are cheaper to read than to find, say so in history.test.ts.',
})

-- Indexes that reports want besides the product's ordinary ones, each with what it serves. The product's
-- migrations create them on the primary (`concurrently` there); the demo runs this file after its data.

-- Serves operations (its order, so that a million rows are not sorted), profit_loss, metrics/finance.
create index operations_posted_by_date on operations (organization_id, operation_date, id)
    include (kind, category_id, amount_kopecks)
    where status = 'posted';

-- Serves cash_flow, metrics/finance: balances add up all payments ever made, debts those not made.
create index operations_posted_by_payment on operations (organization_id, paid_on)
    include (kind, operation_date, account_id, to_account_id, amount_kopecks)
    where status = 'posted';

-- Serves profit_loss, metrics/finance: the cost of goods and losses of a period.
create index stock_movements_by_moment on stock_movements (organization_id, moved_at)
    include (kind, cost_kopecks);

-- Serves stock_balance, metrics/warehouse: a balance adds up all movements ever made, in the order of the groups,
-- so that nothing is sorted or hashed.
create index stock_movements_by_place on stock_movements (organization_id, product_id, warehouse_id, moved_at)
    include (kind, quantity, cost_kopecks);

-- Serves sales_funnel: what was open in a period ended in it or later, or has not ended. The same idea below.
create index deal_stage_visits_by_leaving on deal_stage_visits
    (organization_id, stage_id, (coalesce(left_at, 'infinity'::timestamptz)), entered_at)
    include (left_at, to_stage_id, deal_id);

-- Serves metrics/deals.
create index deals_by_end on deals (organization_id, (coalesce(won_at, lost_at, 'infinity'::timestamptz)));

-- Serves tasks_by_assignee, metrics/tasks.
create index tasks_by_end on tasks (organization_id, (coalesce(completed_at, cancelled_at, 'infinity'::timestamptz)));

-- Serves requests_by_channel, metrics/requests.
create index requests_by_close on requests (organization_id, (coalesce(closed_at, 'infinity'::timestamptz)));

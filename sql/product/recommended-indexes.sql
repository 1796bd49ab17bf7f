-- Recommended indexes in addition to the product's own, each with the definitions that use it. The product's migrations
-- create them on the primary (`concurrently`); the demo executes this file after its data.

-- Serves operations, profit_loss, income_by_category, expenses_by_category, profit_by_project, metrics/finance: a
-- period's accruals, in the order of the register, which avoids a sort of a million rows.
create index operations_posted_by_date on operations (organization_id, operation_date, id)
    include (kind, category_id, project_id, amount_kopecks)
    where status = 'posted';

-- Serves payments, cash_flow, cash_flow_by_month, payment_calendar, balance_sheet, receivables, payables, debts,
-- metrics/finance: balances sum all payments, past debts sum later payments. It omits to_account_id, which would take
-- as much space as category_id: transfers are few and have operations_arrivals.
create index operations_posted_by_payment on operations (organization_id, paid_on)
    include (kind, operation_date, due_on, account_id, category_id, amount_kopecks)
    where status = 'posted';

-- Serves cash_flow: all transfers to an account, as an index-only scan.
create index operations_arrivals on operations (organization_id, to_account_id, paid_on)
    include (amount_kopecks)
    where status = 'posted' and to_account_id is not null;

-- Serves receivables, payables, debts, payment_calendar, metrics/finance: small, because it contains only unpaid
-- operations.
create index operations_unpaid on operations (organization_id, operation_date)
    include (kind, due_on, counterparty_id, amount_kopecks)
    where status = 'posted' and paid_on is null;

-- Serves payment_calendar: the few planned operations, by expected day.
create index operations_planned_by_day on operations (organization_id, (coalesce(due_on, operation_date)))
    where status = 'planned';

-- Serves profit_loss, expenses_by_category, profit_by_project, stock_below_minimum, metrics/finance: the cost of
-- goods and losses of a period, and the last receipt of a product.
create index stock_movements_by_moment on stock_movements (organization_id, moved_at)
    include (kind, cost_kopecks, sale_line_id);

-- Serves stock_balance, stock_turnover, stock_below_minimum, balance_sheet, metrics/warehouse: a balance sums all
-- movements, in the order of the groups, so that there is no sort or hash.
create index stock_movements_by_place on stock_movements (organization_id, product_id, warehouse_id, moved_at)
    include (kind, quantity, cost_kopecks);

-- Serves product_sales: the cost of lines of a period's documents.
create index stock_movements_of_line on stock_movements (organization_id, sale_line_id)
    include (cost_kopecks)
    where sale_line_id is not null;

-- Serves sales_funnel: visits that were open in a period ended in it or later, or have not ended. The indexes by end
-- below use the same idea.
create index deal_stage_visits_by_leaving on deal_stage_visits
    (organization_id, stage_id, (coalesce(left_at, 'infinity'::timestamptz)), entered_at)
    include (left_at, to_stage_id, deal_id);

-- Serves deals_lost: the stage that a deal left for a lost one, without reading all visits.
create index deal_stage_visits_by_target on deal_stage_visits (organization_id, to_stage_id, deal_id)
    include (id, stage_id, left_at)
    where to_stage_id is not null;

-- Serves deals_by_manager, deals_by_source, metrics/deals: deals that were open in a period, or won or lost in it, with
-- all columns of the figures.
create index deals_by_end on deals (organization_id, (coalesce(won_at, lost_at, 'infinity'::timestamptz)))
    include (created_at, won_at, lost_at, amount_kopecks, manager_id, source_id);

-- Serves deals_lost: deals lost in a period, with reason and all columns of the figures. An index entry is limited to
-- 2,704 bytes, but a reason is not: the next index has reasons of more than 1,000 bytes.
create index deals_by_loss on deals (organization_id, lost_at)
    include (id, created_at, amount_kopecks, lost_reason)
    where lost_at is not null and coalesce(octet_length(lost_reason), 0) <= 1000;

-- Serves deals_lost: the few deals with long reasons.
create index deals_by_loss_long_reason on deals (organization_id, lost_at)
    where octet_length(lost_reason) > 1000;

-- Serves sales_funnel: amounts of deals that are open in a stage.
create index deals_amount on deals (organization_id, id) include (amount_kopecks);

-- Serves customers_abc, product_sales, profit_by_project: the documents of a period.
create index sales_by_shipment on sales (organization_id, shipped_at)
    include (id, kind, status, counterparty_id, project_id);

-- Serves customers_abc, product_sales, profit_by_project: the lines of documents, and the document of a line.
create index sale_lines_by_document on sale_lines (organization_id, sale_id)
    include (id, product_id, quantity, amount_kopecks);

-- Serves tasks_by_assignee, tasks_by_month, metrics/tasks: as deals_by_end.
create index tasks_by_end on tasks (organization_id, (coalesce(completed_at, cancelled_at, 'infinity'::timestamptz)))
    include (created_at, due_on, completed_at, cancelled_at, assignee_id);

-- Serves requests_by_channel, requests_by_assignee, metrics/requests: as deals_by_end.
create index requests_by_close on requests (organization_id, (coalesce(closed_at, 'infinity'::timestamptz)))
    include (received_at, promised_at, first_answer_at, closed_at, channel_id, assignee_id);

-- Covering indexes of reference tables. A report reads all rows of an organization. In the table they are spread over
-- pages shared with other organizations, about one page per row; in the index they are adjacent. An index entry is
-- limited to 2,704 bytes: a product with longer names must omit that index.

-- Serves payments, operations, receivables, payables, debts, customers_abc, deals, stock_below_minimum: customers and
-- suppliers with their names.
create index counterparties_named on counterparties (organization_id, id) include (name, inn);

-- Serves balance_sheet, stock_balance, stock_turnover, stock_below_minimum, product_sales, metrics/warehouse:
-- products with their names and the columns for reordering.
create index products_named on products (organization_id, id)
    include (sku, name, unit, kind, minimum_quantity, purchase_price_kopecks, supplier_id, archived_at);

-- Serves payments, operations, profit_loss, income_by_category, expenses_by_category, profit_by_project,
-- cash_flow_by_month, balance_sheet, metrics/finance: categories with their names and sections.
create index categories_named on categories (organization_id, id) include (parent_id, name, section);

-- Serves deals, deals_by_manager, tasks_by_assignee, requests_by_assignee: employees with their names.
create index employees_named on employees (organization_id, id) include (full_name);

-- Serves deals_by_source: sources with their names.
create index deal_sources_named on deal_sources (organization_id, id) include (name);

-- Serves requests_by_channel: channels with their names.
create index request_channels_named on request_channels (organization_id, id) include (name);

-- Another way to the figures of new_report, as simple as it can be: `svodka diff new_report --oracle` compares them.
select
    figures.counterparty,
    figures.operations,
    figures.income,
    figures.expenses,
    figures.counterparty_id
from (
    select distinct
        coalesce(
            (select counterparties.name from counterparties where counterparties.id = operations.counterparty_id),
            'Без контрагента'
        ) as counterparty,
        count(*) over own as operations,
        sum(case when operations.kind = 'income' then operations.amount_kopecks else 0 end) over own as income,
        sum(case when operations.kind = 'expense' then operations.amount_kopecks else 0 end) over own as expenses,
        coalesce(operations.counterparty_id::text, '0') as counterparty_id
    from operations
    where operations.operation_date between :period_start and :period_end - 1
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
    window own as (partition by operations.counterparty_id)
) as figures
order by figures.income desc, figures.counterparty collate "C", nullif(figures.counterparty_id, '0')::bigint

-- A subquery for each figure, over all deals of the organization; days are compared as text.
with with_days as (
    select
        d.amount_kopecks,
        to_char(d.created_at at time zone :time_zone, 'YYYY-MM-DD') as created_on,
        to_char(d.won_at at time zone :time_zone, 'YYYY-MM-DD') as won_on,
        to_char(d.lost_at at time zone :time_zone, 'YYYY-MM-DD') as lost_on
    from deals d
    join deal_stages s on s.organization_id = d.organization_id and s.id = d.stage_id
    where d.organization_id = :organization_id
),
open_deals as (
    select count(*) as deals, coalesce(sum(amount_kopecks), 0) as amount
    from with_days
    where created_on < to_char(:period_end, 'YYYY-MM-DD')
      and coalesce(won_on, lost_on, '9999-12-31') >= to_char(:period_end, 'YYYY-MM-DD')
),
won_deals as (
    select count(*) as deals, coalesce(sum(amount_kopecks), 0) as amount
    from with_days
    where won_on >= to_char(:period_start, 'YYYY-MM-DD')
      and won_on < to_char(:period_end, 'YYYY-MM-DD')
),
lost_deals as (
    select count(*) as deals
    from with_days
    where lost_on >= to_char(:period_start, 'YYYY-MM-DD')
      and lost_on < to_char(:period_end, 'YYYY-MM-DD')
)
select
    (select deals from open_deals) as deals_open,
    (select amount from open_deals) as deals_open_amount,
    (select deals from won_deals) as deals_won,
    (select amount from won_deals) as deals_won_amount,
    round(
        100.0 * (select deals from won_deals)
            / nullif((select deals from won_deals) + (select deals from lost_deals), 0),
        1
    ) as deal_conversion,
    round(1.00000000000000000000 * (select amount from won_deals) / nullif((select deals from won_deals), 0)) as average_deal

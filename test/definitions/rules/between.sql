-- right
select 1 from t where a between b and c and d >= :period_start
select case when a between 1 and 2 then :period_start end
select 1 where a between 1 and (select max(b) from t where b < :period_end)
select 1 where day between :period_start and :period_end - 1
select 1 where day between :period_start and (:period_end - interval '1 day')::date
select 1 where day between :period_start and :as_of
select 1 where day between symmetric :period_end - 1 and :period_start
select 1 where a between :today and :as_of
select 1 where :period_start between since and until or :period_end::date - 1 between since and until
select 1 where day between :period_start - 7 and :period_start - 1
select 1 where day between :period_start and least(:period_end - 1, :today)
select 1 where day - :period_start between 0 and 6 and due between :period_end and :period_end + 30
select 1 where day between since and coalesce(until, :period_end)
-- 1: between takes in the day after the period
select 1 where day between :period_start and coalesce(until, :period_end)
select 1 where day between since and :period_end
select 1 where day not between :period_start and :period_end
select 1 where day between symmetric :period_start and :period_end::date
select 1 where (:period_end)::date between since and until
select 1 where day between (:period_start - 1) and least(until, :period_end)
select 1 where day between :period_start and :period_start + interval '1 month'
select 1 where at between :period_start_at and :period_end_at

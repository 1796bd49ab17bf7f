/*---
title: Журнал проводок
columns:
  entry: { title: Номер, type: text }
  day: { title: Дата, type: date, total: none }
  month: { title: Месяц, type: month, total: none }
  posted_at: { title: Проведена, type: datetime, total: none }
  units: { title: Штук, type: integer, total: sum(units) }
  weight: { title: "Вес, кг", type: number, total: sum(weight) }
  amount: { title: Сумма, type: money, total: sum(amount) }
  paid: { title: Оплачено, type: money, total: sum(paid) }
  share: { title: Доля, type: percent, total: none }
  counterparty: { title: Контрагент, type: text, total: none }
  note: { title: Заметка, type: text, total: none }
key: [entry]
summary: За {period} {row_count, plural, one {# проводка} few {# проводки} many {# проводок} other {# проводки}} на {paid}.
shared: true
---*/
-- Three entries per day, equal in all periods, with nulls, numbers beyond 2^53 and texts that are difficult for
-- readers.
with entries as (
    select days.day::date as day, (days.day::date - date '2000-01-01') * 3 + place.place as n
    from generate_series(:period_start::timestamp, :period_end - interval '1 day', interval '1 day') as days (day)
    cross join generate_series(0, 2) as place (place)
)
select
    lpad(entries.n::text, 8, '0') as entry,
    entries.day,
    to_char(entries.day, 'YYYY-MM') as month,
    (entries.day + make_interval(hours => entries.n % 24, secs => 1.5)) at time zone :time_zone as posted_at,
    case entries.n % 1000 when 0 then 9007199254740993 else entries.n % 7 end as units,
    case when entries.n % 5 <> 0 then round(entries.n % 977 / 8.0, 3) end as weight,
    case entries.n % 1000 when 7 then 90071992547409931 else entries.n::bigint * 7919 % 2000003 - 400000 end as amount,
    case when entries.n % 4 <> 0 then entries.n::bigint * 104729 % 150000007 - 20000000 end as paid,
    case when entries.n % 3 <> 0 then round(entries.n % 1001 / 7.0, 1) end as share,
    case when entries.n % 11 <> 0 then format('ООО «Ёлка № %s»', entries.n % 40 * :organization_id) end as counterparty,
    (array[
        null,
        '',
        'Оплата по счёту, с НДС',
        E'две\nстроки и "кавычки"',
        E'возврат\r\nкаретки; точка с запятой',
        '=1+1',
        '=HYPERLINK("http://127.0.0.1/"&A1;"счёт")',
        '+7 900 000-00-00',
        '-1+2',
        '@SUM(A1:A9)',
        E'\t=2+2',
        '007',
        '1e5',
        '31.12.2026',
        '2026-12-31',
        'NA',
        'null',
        'true',
        '<b>&amp;</b> \ '' |',
        '🧾 x²'
    ])[entries.n % 20 + 1] as note
from entries
order by entries.n

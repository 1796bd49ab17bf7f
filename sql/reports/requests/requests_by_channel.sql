/*---
title: Обращения по каналам
description: Откуда пишут и звонят покупатели и как быстро им отвечают. Ответы учтены по обращениям, поступившим в периоде, когда бы на них ни ответили.
dateBasis: event
keywords: [заявки, поддержка, тикеты, почта, звонки, чат, tickets, support, email, calls, chat, response time, requests_open, requests_received, requests_first_answer_hours, requests_within_promise]
position: 1
columns:
  channel:             { title: Канал, type: text }
  at_start:            { title: На начало, type: integer, aggregation: { rows: sum, periods: first } }
  received:            { title: Поступило, type: integer, aggregation: { rows: sum, periods: sum } }
  closed:              { title: Закрыто, type: integer, aggregation: { rows: sum, periods: sum } }
  open:                { title: Открыто на конец, type: integer, aggregation: { rows: sum, periods: last } }
  answered:            { title: С ответом, type: integer, aggregation: { rows: sum, periods: sum } }
  first_answer_median: { title: "Медиана первого ответа, ч", type: number, unit: hour }
  first_answer_p90:    { title: "90-й перцентиль, ч", type: number, unit: hour }
  due:                 { title: С наступившим сроком, type: integer, aggregation: { rows: sum, periods: sum } }
  in_time:             { title: В срок, type: integer, aggregation: { rows: sum, periods: sum } }
  within_promise:      { title: Доля в обещанный срок, type: percent }
  channel_id:          { title: Номер канала, type: text }
key: [channel_id]
chart: { kind: bars, measures: [received, closed], label: channel }
summary: >-
  За {period}
  {received, plural,
  one {поступило # обращение}
  few {поступило # обращения}
  many {поступило # обращений}
  other {поступило # обращения}},
  {closed, plural,
  one {закрыто # обращение}
  few {закрыто # обращения}
  many {закрыто # обращений}
  other {закрыто # обращения}}{first_answer_median_sign, select,
  none {}
  other {, медиана первого ответа — {first_answer_median, plural,
  one {# час} few {# часа} many {# часов} other {# часа}}}}{within_promise_sign, select,
  none {} other {, в обещанный срок — {within_promise}}}.
emptySummary: За {period} обращений не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 25 }
---*/
-- Tuned 2026-11-22, over this year: 0.2 ms and 9 buffers for the median demo organization, 4.6 ms and 103 for the
-- large one, with requests_by_close and request_channels_named; without: 0.3 ms and 366, 7.0 ms and 571.
-- Response time is measured over requests received in the period, even if the response came later.
with counted as (
    select
        requests.channel_id,
        requests.received_at >= :period_start_at as is_received,
        coalesce(requests.closed_at, 'infinity') < :period_end_at as is_closed,
        case
            when requests.received_at >= :period_start_at
                -- why: percentiles sort float8 faster than the numeric of extract
                then date_part('epoch', requests.first_answer_at - requests.received_at)
        end as answer_seconds,
        requests.first_answer_at is not null or requests.promised_at < :now as is_due,
        requests.first_answer_at <= requests.promised_at as is_in_time
    from requests
    where requests.received_at < :period_end_at
      -- why: matches the index requests_by_close
      and coalesce(requests.closed_at, 'infinity') >= :period_start_at
),
-- why: grouping sets, because the total median cannot be calculated from medians of rows;
-- the empty grouping set returns a row even if there are no requests
figures as (
    select
        grouping(counted.channel_id) = 1 as is_total,
        counted.channel_id,
        count(*) filter (where not counted.is_received) as at_start,
        count(*) filter (where counted.is_received) as received,
        count(*) filter (where counted.is_closed) as closed,
        count(*) filter (where not counted.is_closed) as open,
        count(counted.answer_seconds) as answered,
        percentile_cont(0.5) within group (order by counted.answer_seconds)::numeric as median_seconds,
        percentile_disc(0.9) within group (order by counted.answer_seconds)::numeric as p90_seconds,
        count(*) filter (where counted.is_received and counted.is_due) as due,
        count(*) filter (where counted.is_received and counted.is_in_time) as in_time
    from counted
    group by grouping sets ((), (counted.channel_id))
),
named as (
    select
        figures.is_total,
        figures.channel_id,
        figures.at_start,
        figures.received,
        figures.closed,
        figures.open,
        figures.answered,
        figures.median_seconds,
        figures.p90_seconds,
        figures.due,
        figures.in_time,
        case when not figures.is_total then coalesce(request_channels.name, 'Не указан') end as channel
    from figures
    left join request_channels on request_channels.id = figures.channel_id
)
select
    named.is_total,
    named.channel,
    named.at_start,
    named.received,
    named.closed,
    named.open,
    named.answered,
    round(named.median_seconds / 3600, 1) as first_answer_median,
    round(named.p90_seconds / 3600, 1) as first_answer_p90,
    named.due,
    named.in_time,
    round(100.0 * named.in_time / nullif(named.due, 0), 1) as within_promise,
    -- why: a key is never null, and ids begin with 1
    case when not named.is_total then coalesce(named.channel_id::text, '0') end as channel_id
from named
order by named.is_total desc, named.received desc, named.channel collate "C", named.channel_id

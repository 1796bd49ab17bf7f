/*---
title: Обращения по исполнителям
description: Кто отвечает на обращения и как быстро. Ответы учтены по обращениям, поступившим в периоде, когда бы на них ни ответили.
dateBasis: event
keywords: [заявки, поддержка, тикеты, сотрудники, tickets, support, staff, employees, response time]
position: 2
columns:
  assignee:            { title: Исполнитель, type: text }
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
  assignee_id:         { title: Номер исполнителя, type: text }
key: [assignee_id]
chart: { kind: bars, measures: [received, closed], label: assignee }
facts:
  unassigned: { type: integer }
summary: >-
  За {period}
  {received, plural,
  one {поступило # обращение}
  few {поступило # обращения}
  many {поступило # обращений}
  other {поступило # обращения}}{unassigned, plural,
  =0 {}
  other {, из них не назначено никому #}},
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
-- Tuned 2026-11-21, over this year: 0.3 ms and 9 buffers for the median demo organization, 14 ms and 105 for the
-- large one, with requests_by_close and employees_named; without: 0.7 ms and 369, 21 ms and 574.
-- Response time is measured over requests received in the period, even if the response came later.
with counted as (
    select
        requests.assignee_id,
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
        grouping(counted.assignee_id) = 1 as is_total,
        counted.assignee_id,
        count(*) filter (where not counted.is_received) as at_start,
        count(*) filter (where counted.is_received) as received,
        count(*) filter (where counted.is_closed) as closed,
        count(*) filter (where not counted.is_closed) as open,
        count(counted.answer_seconds) as answered,
        percentile_cont(0.5) within group (order by counted.answer_seconds)::numeric as median_seconds,
        percentile_disc(0.9) within group (order by counted.answer_seconds)::numeric as p90_seconds,
        count(*) filter (where counted.is_received and counted.is_due) as due,
        count(*) filter (where counted.is_received and counted.is_in_time) as in_time,
        -- why: in the totals row, assignee_id is null except inside an aggregate
        count(*) filter (where counted.is_received and counted.assignee_id is null) as unassigned
    from counted
    group by grouping sets ((), (counted.assignee_id))
),
named as (
    select
        figures.is_total,
        figures.assignee_id,
        figures.at_start,
        figures.received,
        figures.closed,
        figures.open,
        figures.answered,
        figures.median_seconds,
        figures.p90_seconds,
        figures.due,
        figures.in_time,
        figures.unassigned,
        case when not figures.is_total then coalesce(employees.full_name, 'Не назначен') end as assignee
    from figures
    left join employees on employees.id = figures.assignee_id
)
select
    named.is_total,
    named.assignee,
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
    case when not named.is_total then coalesce(named.assignee_id::text, '0') end as assignee_id,
    named.unassigned
from named
order by named.is_total desc, named.received desc, named.assignee collate "C", named.assignee_id

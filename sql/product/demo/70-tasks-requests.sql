-- Tasks (done in time or late, cancelled, still open, forgotten) and customers' requests (answered in time, late
-- or never).

select demo.prepare();

insert into tasks (organization_id, id, title, assignee_id, created_at, due_on, completed_at, cancelled_at)
select
    task.organization_id,
    row_number() over (order by task.created_at, task.key),
    demo.one_of(501, task.key, array['Перезвонить клиенту', 'Выставить счёт', 'Сверить остатки на складе',
        'Подготовить коммерческое предложение', 'Заказать упаковку', 'Отправить документы, 2 экз.', 'Проверить оплату',
        'Обновить прайс-лист', 'Разобрать возврат', 'Подписать акт с "Партнёром"', 'Позвонить поставщику ☎️',
        'Сдать отчётность', 'Провести инвентаризацию', 'Согласовать скидку 5 %', 'Обучить стажёра']),
    case
        when demo.u(502, task.key) < 0.95
            then demo.id(task.o, 1 + floor(task.employees * demo.u(503, task.key))::integer)
    end,
    task.created_at,
    case when demo.u(504, task.key) < 0.88 then task.day + demo.pick(505, task.key, 15) end,
    case when task.luck < 92 and task.ended_at < demo.cutoff() then task.ended_at end,
    case when task.luck between 92 and 96 and task.ended_at < demo.cutoff() then task.ended_at end
from (
    select
        organization.id as organization_id,
        organization.employees,
        day.o,
        day.day,
        day.key + i as key,
        demo.at(day.day, demo.work_second(506, day.key + i), organization.zone) as created_at,
        demo.pick(507, day.key + i, 100) as luck,
        -- whole days and a few hours after its creation
        demo.at(day.day, demo.work_second(506, day.key + i), organization.zone) + make_interval(
            days => floor(18 * demo.u(508, day.key + i) * demo.u(509, day.key + i))::integer,
            secs => 600 + demo.pick(510, day.key + i, 12000)
        ) as ended_at
    from demo.day
    join demo.organization on organization.o = day.o
    cross join lateral generate_series(1, demo.facts(100, organization.size, day.work, 500, day.key)) as i
) as task
where task.created_at < demo.cutoff()
order by 2;

insert into requests (
    organization_id, id, channel_id, assignee_id, counterparty_id, received_at, promised_at, first_answer_at, closed_at
)
select
    request.organization_id,
    row_number() over (order by request.received_at, request.key),
    demo.id(request.o, request.channel),
    case
        when demo.u(522, request.key) < 0.94
            then demo.id(request.o, 1 + floor(request.employees * demo.u(523, request.key))::integer)
    end,
    case
        when demo.u(524, request.key) < 0.6
            then demo.id(request.o, 1 + floor(request.customers * demo.u(525, request.key))::integer)
    end,
    request.received_at,
    request.received_at + make_interval(mins => request.promise),
    case when request.answered_at < demo.cutoff() then request.answered_at end,
    case
        when request.closed_at < demo.cutoff() then request.closed_at
    end
from (
    select
        asked.*,
        -- some are closed at once as spam without an answer; some are never answered
        case
            when asked.luck = 0 then asked.received_at + interval '20 minutes'
            when asked.luck < 5 then null
            else asked.answered_at + make_interval(
                secs => 300 + (demo.u(530, asked.key) * demo.u(531, asked.key) * demo.u(532, asked.key) * 900000)::integer
            )
        end as closed_at
    from (
        select
            received.*,
            channel.promise_minutes as promise,
            case
                when received.luck >= 3
                    then received.received_at + make_interval(
                        secs => 20 + (
                            coalesce(channel.promise_minutes, 600) * 60
                            * (0.05 + demo.u(528, received.key) * 0.9
                                + case when demo.pick(529, received.key, 8) = 0 then 6 * demo.u(533, received.key) else 0 end)
                        )::integer
                    )
            end as answered_at
        from (
            select
                organization.id as organization_id,
                organization.employees,
                organization.customers,
                day.o,
                day.key + i as key,
                -- requests arrive at any hour, but most in working hours
                demo.at(
                    day.day,
                    case
                        when demo.pick(526, day.key + i, 6) = 0 then demo.pick(527, day.key + i, 86400)
                        else demo.work_second(527, day.key + i)
                    end,
                    organization.zone
                ) as received_at,
                (array[1, 1, 1, 2, 2, 3, 3, 3, 4, 5, null, 2, 1, 3, 4, 1, 2, 3, 4, 3])[1 + demo.pick(521, day.key + i, 20)] as channel,
                demo.pick(534, day.key + i, 60) as luck
            from demo.day
            join demo.organization on organization.o = day.o
            cross join lateral generate_series(1, demo.facts(150, organization.size, day.demand, 520, day.key)) as i
        ) as received
        left join request_channels as channel
            on channel.organization_id = received.organization_id
            and channel.id = demo.id(received.o, received.channel)
    ) as asked
) as request
where request.received_at < demo.cutoff()
order by 2;

-- Expenses of any working day: delivery, fuel, repairs, trips; some refunded, some in two parts, some without
-- a category, a counterparty or a project.

select demo.prepare();

insert into demo.operation (
    source, key, part, o, kind, operation_date, paid_on, due_on, amount_kopecks, account, category,
    counterparty, project, document_number, description
)
select
    7,
    bill.key,
    parts.part,
    bill.o,
    'expense',
    bill.day,
    demo.paid(greatest(bill.start_on, bill.day + case
        when bill.parts = 2 then case parts.part when 1 then 0 else 15 + demo.pick(452, bill.key, 20) end
        when bill.luck < 70 then 0
        when bill.luck < 86 then 5 + demo.pick(452, bill.key, 25)
        when bill.luck < 93 then -1 - demo.pick(452, bill.key, 10)
        else 40 + demo.pick(452, bill.key, 90)
    end)),
    case when bill.luck >= 70 and (bill.luck < 86 or bill.luck >= 93) then bill.day + 10 end,
    case when bill.refund then -1 else 1 end * case
        when bill.parts = 1 then bill.amount_kopecks
        when parts.part = 1 then bill.amount_kopecks / 2
        else bill.amount_kopecks - bill.amount_kopecks / 2
    end,
    (array[1, 1, 1, 1, 1, 3, 3, 3, 2, 2])[1 + demo.pick(453, bill.key, 10)],
    bill.category,
    case when demo.u(454, bill.key) < 0.75 then bill.customers + 1 + demo.pick(455, bill.key, bill.suppliers) end,
    case when bill.projects > 0 and demo.u(456, bill.key) < 0.3 then 1 + demo.pick(457, bill.key, least(bill.projects, 3)) end,
    case when demo.pick(458, bill.key, 2) = 0 then 'АВ-' || lpad((bill.key % 1000000)::text, 6, '0') end,
    case
        when bill.refund then 'Возврат излишне оплаченного'
        else case bill.category
            when 8 then demo.one_of(459, bill.key, array['Доставка покупателю', 'Курьер, доставка до двери 🚚', 'Транспортная компания, 2 места'])
            when 7 then demo.one_of(459, bill.key, array['Коробки и плёнка', 'Упаковочный материал, "крафт"'])
            when 9 then demo.one_of(459, bill.key, array['Монтаж силами подрядчика', 'Услуги подрядчика по договору'])
            when 26 then demo.one_of(459, bill.key, array['Топливо, АЗС', 'ДТ, топливная карта'])
            when 27 then demo.one_of(459, bill.key, array['Шиномонтаж', 'ТО автомобиля, масло и фильтры'])
            when 32 then demo.one_of(459, bill.key, array['Командировка: билеты', 'Командировка: гостиница, 2 ночи', 'Суточные'])
            when 13 then demo.one_of(459, bill.key, array['Курсы для менеджеров', 'Размещение вакансии'])
            when 23 then demo.one_of(459, bill.key, array['Канцтовары', 'Бумага, картриджи'])
            else demo.one_of(459, bill.key, array['Хозяйственные расходы', 'Мелкий ремонт', 'Прочее; см. авансовый отчёт', 'Оплата по счёту'])
        end
    end
from (
    select
        day.o,
        day.day,
        day.key + i as key,
        organization.start_on,
        organization.customers,
        organization.suppliers,
        organization.projects,
        demo.pick(442, day.key + i, 100) as luck,
        case when demo.pick(443, day.key + i, 25) = 0 then 2 else 1 end as parts,
        demo.pick(444, day.key + i, 40) = 0 as refund,
        (array[8, 8, 8, 8, 7, 7, 9, 9, 23, 23, 26, 26, 26, 27, 17, 20, 32, 13, 18, null])[1 + demo.pick(445, day.key + i, 20)] as category,
        -- all of them together are 6.5 percent of revenue
        greatest(1000, (
            volume.month_revenue * 12 * 0.065 * day.price / 1.1 / (170 * greatest(bills.size * demo.scale(), 0.05))
            * (0.1 + 2.7 * demo.u(446, day.key + i) * demo.u(447, day.key + i) + 0.45 * demo.u(448, day.key + i))
        )::bigint) as amount_kopecks
    from demo.day
    join demo.organization on organization.o = day.o
    join demo.volume on volume.o = day.o
    -- why: in the other files the large organization has less than its share, because reference tables grow more slowly
    cross join lateral (
        select case when organization.size >= 10 then organization.size * 3.2 else organization.size end as size
    ) as bills
    cross join lateral generate_series(1, demo.facts(170, bills.size, day.work, 441, day.key)) as i
) as bill
cross join lateral generate_series(1, bill.parts) as parts (part);
analyze demo.operation;

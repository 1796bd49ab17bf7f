-- Purchases for stock: one document for each delivery, with its own payment date. They affect cash flow, not profit.

select demo.prepare();

insert into demo.operation (
    source, key, part, o, kind, operation_date, paid_on, due_on, amount_kopecks, account, category,
    counterparty, document_number, description
)
select
    3,
    delivery.key,
    payment.part,
    delivery.o,
    'expense',
    delivery.day,
    demo.paid(greatest(delivery.day + payment.delay, delivery.start_on)),
    case when payment.delay > 3 then delivery.day + 21 end,
    payment.amount_kopecks,
    case when demo.u(421, delivery.key) < 0.9 then 1 else 4 end,
    34,
    delivery.supplier,
    'ПН-' || lpad((delivery.key % 1000000)::text, 6, '0'),
    case when payment.delay < 0 then 'Предоплата поставщику' else 'Оплата поставщику за товар' end
from (
    select
        movement.o,
        product.supplier,
        organization.start_on,
        (movement.at at time zone organization.zone)::date as day,
        (movement.o * 1000 + product.supplier % 1000) * 100000::bigint
            + ((movement.at at time zone organization.zone)::date - date '2000-01-01') as key,
        sum(movement.cost_kopecks)::bigint as amount_kopecks
    from demo.movement
    join demo.product on product.o = movement.o and product.k = movement.product
    join demo.organization on organization.o = movement.o
    where movement.kind = 'receipt'
    group by 1, 2, 3, 4, 5
) as delivery
cross join lateral (
    select
        parts.part,
        case
            when demo.pick(422, delivery.key, 100) < 25 then demo.pick(423, delivery.key, 2)
            when demo.pick(422, delivery.key, 100) < 31 then 45 + demo.pick(423, delivery.key, 90)
            when demo.pick(422, delivery.key, 100) < 75 then 5 + demo.pick(423, delivery.key, 30)
            when demo.pick(422, delivery.key, 100) < 90 then -2 - demo.pick(423, delivery.key, 12)
            when parts.part = 1 then -demo.pick(423, delivery.key, 5)
            else 14 + demo.pick(423, delivery.key, 21)
        end as delay,
        case
            when demo.pick(422, delivery.key, 100) < 90 then delivery.amount_kopecks
            when parts.part = 1 then delivery.amount_kopecks / 2
            else delivery.amount_kopecks - delivery.amount_kopecks / 2
        end as amount_kopecks
    from generate_series(1, case when demo.pick(422, delivery.key, 100) < 90 then 1 else 2 end) as parts (part)
) as payment
where payment.amount_kopecks <> 0;

-- Goods returned to the supplier: a refund of the same kind.
insert into demo.operation (
    source, key, o, kind, operation_date, paid_on, amount_kopecks, account, category, counterparty, description
)
select
    4,
    movement.key,
    movement.o,
    'expense',
    (movement.at at time zone organization.zone)::date,
    demo.paid((movement.at at time zone organization.zone)::date + demo.pick(424, movement.key, 20)),
    movement.cost_kopecks,
    1,
    34,
    product.supplier,
    'Возврат от поставщика за брак'
from demo.movement
join demo.product on product.o = movement.o and product.k = movement.product
join demo.organization on organization.o = movement.o
where movement.kind = 'supplier_return'
  and movement.cost_kopecks <> 0;
analyze demo.operation;

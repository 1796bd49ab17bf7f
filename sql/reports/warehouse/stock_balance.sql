/*---
title: Остатки и движение товаров
description: Сколько товара на каждом складе и на какую сумму, приход и расход. Перемещение учтено как расход одного склада и приход другого.
dateBasis: movement
keywords: [склад, запасы, остаток, остатки, наличие, инвентаризация, номенклатура, товары, inventory, warehouse, goods, products, quantities, stock_value]
position: 2
columns:
  product:       { title: Товар, type: text }
  sku:           { title: Артикул, type: text, total: none }
  warehouse:     { title: Склад, type: text, total: none }
  unit:          { title: Ед., type: text, total: none }
  opening:       { title: На начало, type: number, total: none, unit: unit }
  in:            { title: Приход, type: number, total: none, unit: unit }
  out:           { title: Расход, type: number, total: none, unit: unit }
  closing:       { title: На конец, type: number, total: none, unit: unit }
  average_cost:  { title: Средняя себестоимость, type: money, total: none }
  opening_value: { title: Стоимость на начало, type: money, total: sum(opening_value), aggregation: { rows: sum, periods: first } }
  in_value:      { title: Стоимость прихода, type: money, total: sum(in_value), aggregation: { rows: sum, periods: sum } }
  out_value:     { title: Стоимость расхода, type: money, total: sum(out_value), aggregation: { rows: sum, periods: sum } }
  value:         { title: Стоимость на конец, type: money, total: sum(value), aggregation: { rows: sum, periods: last } }
  product_id:    { title: Номер товара, type: text, total: none }
  warehouse_id:  { title: Номер склада, type: text, total: none }
key: [product_id, warehouse_id]
chart: { kind: bars, measures: [value], label: product }
facts:
  products:   { type: integer, total: count(distinct product_id) filter (where closing <> 0) }
  warehouses: { type: integer, total: count(distinct warehouse_id) filter (where closing <> 0) }
summary: >-
  На {as_of}
  {warehouses, plural,
  =0 {на складах пусто} one {на # складе} few {на # складах} many {на # складах} other {на # склада}}{products, plural,
  =0 {}
  one { лежит # товар на {value}}
  few { лежат # товара на {value}}
  many { лежит # товаров на {value}}
  other { лежит # товара на {value}}},
  за {period} приход составил {in_value}, расход — {out_value}.
emptySummary: На {as_of} товаров на складах нет, движений за {period} не было.
parameters:
  warehouse:
    title: Склад
    type: integer
    values: { sql: "select id as value, name as label from warehouses order by name collate \"C\", id" }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 10s
maxRows: 200000
# why: all movements are summed, and an organization with most of the table's rows gets a sequential scan
budget: { buffersPerThousandRows: 350, seqScan: 64MiB }
---*/
-- Tuned 2026-11-21, over this year: 1.8 ms and 36 buffers for the median demo organization, 56 ms and 6,170 for the
-- large one, with stock_movements_by_place and products_named; without: 3.7 ms and 1,830, 88 ms and 10,555.
-- Without stock_movements_by_place, the large one spills to disk.
-- Posted movements have signed quantities and costs: balances are sums, and costs of movements are not recalculated.
with movements as (
    select
        stock_movements.product_id,
        stock_movements.warehouse_id,
        stock_movements.moved_at >= :period_start_at as in_period,
        stock_movements.quantity,
        stock_movements.cost_kopecks
    from stock_movements
    where stock_movements.moved_at < :period_end_at
      and (:warehouse::bigint is null or stock_movements.warehouse_id = :warehouse)
),
balances as (
    select
        movements.product_id,
        movements.warehouse_id,
        coalesce(sum(movements.quantity) filter (where not movements.in_period), 0.000) as opening,
        coalesce(sum(movements.quantity) filter (where movements.in_period and movements.quantity > 0), 0.000) as arrived,
        coalesce(-sum(movements.quantity) filter (where movements.in_period and movements.quantity < 0), 0.000) as departed,
        sum(movements.quantity) as closing,
        coalesce(sum(movements.cost_kopecks) filter (where not movements.in_period), 0) as opening_value,
        coalesce(sum(movements.cost_kopecks) filter (where movements.in_period and movements.quantity > 0), 0) as in_value,
        coalesce(-sum(movements.cost_kopecks) filter (where movements.in_period and movements.quantity < 0), 0) as out_value,
        sum(movements.cost_kopecks) as value
    from movements
    group by movements.product_id, movements.warehouse_id
)
select
    products.name as product,
    products.sku,
    warehouses.name as warehouse,
    products.unit,
    balances.opening,
    balances.arrived as "in",
    balances.departed as "out",
    balances.closing,
    round(1.00000000000000000000 * balances.value / nullif(greatest(balances.closing, 0), 0)) as average_cost,
    balances.opening_value,
    balances.in_value,
    balances.out_value,
    balances.value,
    products.id::text as product_id,
    warehouses.id::text as warehouse_id
from balances
join products
    on products.id = balances.product_id
    and products.kind = 'goods'
join warehouses on warehouses.id = balances.warehouse_id
-- If these are all 0, so are closing, in_value and out_value: a movement's cost has the sign of its quantity.
where balances.opening <> 0
   or balances.arrived <> 0
   or balances.departed <> 0
   or balances.opening_value <> 0
   or balances.value <> 0
order by balances.value desc, products.name collate "C", products.id, warehouses.name collate "C", warehouses.id

/*---
title: Sales
columns:
  sale: { title: Sale, type: text }
  shop: { title: Shop, type: text, total: none }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [sale]
summary: Sold for {amount}.
---*/
select sales.id::text as sale,
  case sales.shop_id when 1 then 'First' else 'Other' end as shop, -- expect: organization-id
  sales.amount
from sales
where sales.shop_id = :organization_id
  and sales.day >= :period_start and sales.day < :period_end
order by sales.id

// Literals that belong to one organization, one period or one person.
import { examples, onTime } from './examples.ts'

examples('rules on literals', onTime)`
right
  and sales.note <> 'see :organization_id and :period_start'
  and sales.until < '2099-12-31' and sales.until < 'infinity'
  and sales.account in ('2015', '2026') and sales.amount > 2026
  , case when sales.day >= '2026-01-01' then 22 else 20 end as vat
  and date_bin('7 days', sales.made, '2024-01-01') < :period_end
  and sales.note like '%:now%' and sales.note <> 'it: today' and sales.time < '12:30'
  and sales.note = E'it\'s' and sales.note <> $$ :x $$ and sales.note <> U&'\0441'
  and sales.note = 'one'
    ' text' and sales.kind in ('a', 'b',
    'c')
  and make_date(2000, 1, 1) < sales.day and make_interval(years => 2020) is not null
3: '5d0a0000-0000-4000-8000-000000000001' is one organization's
  and sales.id = '5d0a0000-0000-4000-8000-000000000001'::uuid
3: :today in quotes is a text
  and sales.paid_on < ':today'
3: '2026-01' is one period
  and to_char(sales.day, 'YYYY-MM') in ('2026-01')
3: 2025
3: 2026
  and date_part('year', sales.day) in (2025, 2026)
5: 'b' and 'c' without a comma are 'bc'
  and kind = any (array['a',
    'b'
    'c'])
`

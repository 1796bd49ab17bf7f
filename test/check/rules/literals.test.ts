// Literals that belong to one organization, one period or one person.
import { expectExamples } from './examples.ts'

const ID = '5d0a0000-0000-4000-8000-000000000001'

describe('rules on literals', () => {
  expectExamples([
    [`and sales.id = '${ID}'`, `3: '${ID}' is one organization's`],
    [`and sales.id = '${ID}'::uuid`, `3: '${ID}' is one organization's`],
    ["and sales.day >= (':period_start')::date", '3: :period_start in quotes is a text'],
    ["and sales.paid_on < ':today'", '3: :today in quotes is a text'],
    ["and sales.paid_on >= date '2026-01-01'", "3: '2026-01-01' is one period"],
    ["and to_char(sales.day, 'YYYY') = '2026'", "3: '2026' is one period"],
    ["and to_char(sales.day, 'YYYY-MM') in ('2026-01')", "3: '2026-01' is one period"],
    ['and extract(year from sales.day) = 2026', '3: 2026 is one period'],
    ["and date_part('year', sales.day) in (2025, 2026)", '3: 2025', '3: 2026'],
    ['and sales.paid_on >= make_date(2026, 1, 1)', '3: 2026 is one period'],
    ["= count(*) filter (where day > '2026-03-01')", "total: '2026-03-01' is one period"],
    ["and sales.note <> 'postgres://reports:secret@replica/product'", '3: looks like a key'],
    [
      'select 1 -- sk_live_Xq93kd02mz\nfrom sales where day < :as_of',
      '1: "sk_live_..." looks like a key',
    ],
    ["and kind in (\n'a'\n'b', 'c')", "5: 'a' and 'b' without a comma are 'ab'"],
    ["and kind = any (array['a',\n'b'\n 'c'])", "5: 'b' and 'c' without a comma are 'bc'"],
    ["and sales.note <> 'see :organization_id and :period_start'"],
    ["and sales.day < '9999-12-31' and sales.day > '1900-01-01'"],
    ["and sales.until < '2099-12-31' and sales.until < 'infinity'"],
    ["and sales.account in ('2015', '2026') and sales.amount > 2026"],
    [", case when sales.day >= '2026-01-01' then 22 else 20 end as vat"],
    ["and date_bin('7 days', sales.made, '2024-01-01') < :period_end"],
    ["and sales.note like '%:now%' and sales.note <> 'it: today' and sales.time < '12:30'"],
    ["and sales.note = E'it\\'s' and sales.note <> $$ :x $$ and sales.note <> U&'\\0441'"],
    ["and sales.note = 'one'\n' text' and sales.kind in ('a', 'b',\n'c')"],
    ['and make_date(2000, 1, 1) < sales.day and make_interval(years => 2020) is not null'],
  ])
})

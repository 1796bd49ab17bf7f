// The rule on units.
import { wholeRoubles } from '../../../src/author/check/rules/units.ts'
import { examples } from './examples.ts'

examples('a number of roubles has its fraction', wholeRoubles, { columns: 'n: number' })`
right
  select max(t.amount_kopecks) / 100.0 as n from t
  select t.seconds / 100 as n from t
1: n drops the fraction of integers, expected 100.0
  select max(t.amount_kopecks) / 100 as n from t
2: n drops the fraction
  select t.x,
    t.price_cents / 100 as n from t
`

// The rule on system columns.
import { systemColumns } from '../../../src/author/check/rules/internals.ts'
import { examples } from './rule-examples.ts'

examples('system columns are not selected', systemColumns, {}, [
  ['select a from t\norder by t.ctid', '2: ctid depends on where a row is stored'],
  ['select max(xmin::text) from t', '1: xmin'],
  ['select a from t where (select min(u.ctid) from u) is null', '1: ctid'],
  ['select a + 1 as xmax from t order by xmax'],
  ["select 'ctid' as a from t"],
])

// All attacks by groups, in the order of the table.
import type { Groups } from '../harness/scenario.ts'
import { crowds } from './crowds.ts'
import { fuzz } from './fuzz.ts'
import { strangers } from './strangers.ts'
import { tenants } from './tenants.ts'
import { tls } from './tls.ts'
import { workbooks } from './workbooks.ts'

export const GROUPS: Groups = {
  crowds,
  strangers,
  tls,
  tenants,
  workbooks,
  fuzz,
}

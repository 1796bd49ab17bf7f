// All attacks by groups, in the order of the table.
import type { Groups } from '../harness/scenario.ts'
import { crowds } from './crowds.ts'
import { fuzz } from './fuzz.ts'
import { headers } from './headers.ts'
import { logReader } from './log-reader.ts'
import { secrets } from './secrets.ts'
import { strangers } from './strangers.ts'
import { targets } from './targets.ts'
import { tenants } from './tenants.ts'
import { tls } from './tls.ts'

export const GROUPS: Groups = {
  crowds,
  headers,
  targets,
  strangers,
  'log-reader': logReader,
  secrets: [...secrets, ...tls],
  tenants,
  fuzz,
}

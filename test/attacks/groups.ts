// All attacks by groups, in the order of the table.
import type { Groups } from '../harness/groups.ts'
import { crowds } from './crowds.ts'
import { headers } from './headers.ts'
import { strangers } from './strangers.ts'
import { targets } from './targets.ts'

export const GROUPS: Groups = {
  crowds,
  headers,
  targets,
  strangers,
}

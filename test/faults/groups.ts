// All scenarios by groups, in the order of the table.
import { clocks } from './clocks.ts'
import { conflicts } from './conflicts.ts'
import { asked } from './definitions-of-lag.ts'
import { hanging } from './hanging.ts'
import { herd } from './herd.ts'
import { hostile } from './hostile.ts'
import { keys } from './keys.ts'
import { lag } from './lag.ts'
import { network } from './network.ts'
import { restarts } from './restarts.ts'
import type { Groups } from '../harness/groups.ts'
import { shutdown } from './shutdown.ts'
import { torn } from './torn.ts'

export const GROUPS: Groups = {
  conflicts,
  restarts,
  network: [...network, ...hanging, ...torn],
  lag: [...lag, ...asked, ...clocks],
  keys,
  herd,
  shutdown,
  hostile,
}

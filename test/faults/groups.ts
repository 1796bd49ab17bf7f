// All scenarios by groups, in the order of the table.
import type { Groups } from '../harness/scenario.ts'
import { clocks } from './clocks.ts'
import { conflicts } from './conflicts.ts'
import { hanging } from './hanging.ts'
import { herd } from './herd.ts'
import { hostile } from './hostile.ts'
import { keys } from './keys.ts'
import { lag } from './lag.ts'
import { maxLag } from './max-lag.ts'
import { network } from './network.ts'
import { restarts } from './restarts.ts'
import { shutdown } from './shutdown.ts'
import { slots } from './slots.ts'
import { torn } from './torn.ts'

export const GROUPS: Groups = {
  conflicts,
  restarts: [...restarts, ...slots],
  network: [...network, ...hanging, ...torn],
  lag: [...lag, ...maxLag, ...clocks],
  keys,
  herd,
  shutdown,
  hostile,
}

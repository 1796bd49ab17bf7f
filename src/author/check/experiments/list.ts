/** Every experiment, in the order of execution: the findings of one may explain those of a later one. */
import { collation } from './collation.ts'
import type { Experiment } from './experiment.ts'
import { fanOut } from './fan-out.ts'
import { leftJoinCount } from './left-join-count.ts'
import { nameAsKey } from './name-as-key.ts'
import { noRows } from './no-rows.ts'
import { organizationId } from './organization-id.ts'
import { namesakes, physicalOrder, zeros } from './row-order.ts'
import { sessionZone } from './session-zone.ts'
import { parameter } from './parameter.ts'
import { splitPeriod } from './split-period.ts'

export const EXPERIMENTS: readonly Experiment[] = [
  sessionZone,
  physicalOrder,
  namesakes,
  zeros,
  collation,
  nameAsKey,
  fanOut,
  leftJoinCount,
  splitPeriod,
  parameter,
  noRows,
  organizationId,
]

/**
 * `make attacks`: starts a product's primary and standby, attacks the built gateway in front of them row by row, and
 * prints one table. ONLY=crowds or ONLY=A10 selects scenarios; ATTACKS_LOG=1 prints what gateways log.
 * Exit codes: 0 all targets reached, 1 a target missed, 3 the bench could not be set up.
 */
import { runBench } from '../harness/run-bench.ts'
import { GROUPS } from './groups.ts'

const { ATTACKS_LOG, ONLY } = process.env
await runBench({ groups: GROUPS, only: ONLY, isLogShown: Boolean(ATTACKS_LOG) })

/**
 * `make faults`: starts a product's primary and two standbys, causes faults by scenario, and prints one table.
 * ONLY=promotion, ONLY=F12 or ONLY=restarts selects scenarios; FAULTS_LOG=1 prints what gateways log.
 * Exit codes: 0 all targets reached, 1 a target missed, 3 the bench could not be set up.
 */
import { runBench } from '../harness/run-bench.ts'
import { GROUPS } from './groups.ts'

const { FAULTS_LOG, ONLY } = process.env
await runBench({ groups: GROUPS, only: ONLY, isLogShown: Boolean(FAULTS_LOG) })

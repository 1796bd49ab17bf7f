// The shipped definitions, checked for one organization; the proof checks all of the demo.
import { findNothingInOurs } from './on-replica.ts'

findNothingInOurs(['business'])

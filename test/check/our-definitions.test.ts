// The shipped definitions, asked for one organization; the proof asks for all of the demo.
import { findNothingInOurs } from './on-replica.ts'

findNothingInOurs(['business'])

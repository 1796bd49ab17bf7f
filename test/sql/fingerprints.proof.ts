// The fingerprints of all reports.
import { missNothing } from './fingerprints.ts'

missNothing()

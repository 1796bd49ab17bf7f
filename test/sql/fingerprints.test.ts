// The fingerprint of one report; the proof has all of them.
import { missNothing } from './fingerprints.ts'

missNothing(['deals'])

import { readInLinearTime } from './linear-time.ts'

readInLinearTime(1)

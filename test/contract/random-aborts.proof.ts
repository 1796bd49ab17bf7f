import { describeRandomAborts } from './random-aborts.ts'

describeRandomAborts(10_000)

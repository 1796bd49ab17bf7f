import { describeRandomAborts } from './random-aborts.ts'

describeRandomAborts(200)

import { describeEventLoop } from './event-loop.ts'

describeEventLoop(false)

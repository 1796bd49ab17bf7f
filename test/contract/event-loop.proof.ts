import { describeEventLoop } from './event-loop.ts'

describeEventLoop(true)

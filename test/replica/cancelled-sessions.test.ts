import { describeCancelledSessions } from './cancelled-sessions.ts'

describeCancelledSessions({ pairs: 120, aborts: 30, swallowedMs: 1200 })

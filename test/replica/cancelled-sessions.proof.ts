import { describeCancelledSessions } from './cancelled-sessions.ts'

describeCancelledSessions({ pairs: 4000, aborts: 60, swallowedMs: 5000 })

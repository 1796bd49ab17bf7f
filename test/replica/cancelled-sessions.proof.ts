import { describeCancelledSessions } from './cancelled-sessions.ts'

describeCancelledSessions({ pairs: 2000, swallowedMs: 5000 })

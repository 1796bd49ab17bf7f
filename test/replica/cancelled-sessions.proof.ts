import { describeCancelledSessions } from './cancelled-sessions.ts'

describeCancelledSessions({ pairs: 4000, swallowedMs: 5000 })

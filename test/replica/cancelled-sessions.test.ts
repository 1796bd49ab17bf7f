import { describeCancelledSessions } from './cancelled-sessions.ts'

describeCancelledSessions({ pairs: 120, swallowedMs: 0 })

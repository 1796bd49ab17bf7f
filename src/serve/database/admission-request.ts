/** What asks for the right to execute, and that right. Knows no pg. */
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'

export interface AdmissionRequest<Server> {
  readonly organizationId: string
  /** Usable servers, with or without a free slot, the best first. Requests with the same function share its result. */
  readonly servers: () => readonly Server[]
  /** The error if no server is usable. */
  readonly noServer: () => Error
  /** It was admitted before and lost its server: it goes first, however many wait. */
  readonly isRetry: boolean
  /** Its reason is what `acquire` rejects with. */
  readonly stop: Stop
}

/** The right to execute on a server now. An execution never holds one while it waits for another. */
export interface Slot<Server> {
  readonly server: Server
  readonly startedAt: Milliseconds
  readonly queueMs: Milliseconds
  release(): void
}

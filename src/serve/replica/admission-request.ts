/** What asks for admission, and what it gets. */
import type { Milliseconds } from '../../model/terms.ts'

export interface AdmissionRequest<Server> {
  readonly organizationId: string
  /** `Definition.name` */
  readonly definition: string
  /** @see ReplicaRun */
  readonly alike: string
  /** Two with the same identity never execute at once. */
  readonly identity: string
  /** Servers that may execute it, free or not, the best first. One function for all that may go to the same. */
  readonly servers: () => readonly Server[]
  /** What it is refused with where there is none. */
  readonly noServer: () => Error
  /** It was admitted before and has lost its server: it is not refused, and goes first. */
  readonly isRetry: boolean
  /** Its reason is what `acquire` rejects with. */
  readonly signal: AbortSignal
}

export interface Slot<Server> {
  readonly server: Server
  readonly queueMs: Milliseconds
  /** @param isComplete false where the execution ended early, and the next may take longer */
  release(isComplete: boolean): void
}

/** A request in the queue of its organization. */
export interface Waiting<Server> {
  readonly request: AdmissionRequest<Server>
  /** As expected. */
  readonly costMs: Milliseconds
  readonly queuedAt: Milliseconds
  readonly admit: (server: Server) => void
  readonly reject: (reason: unknown) => void
}

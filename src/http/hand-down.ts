/** What the shortcut has done for a request by the time that it leaves it to the ordinary way. */
import type { IncomingMessage } from 'node:http'
import type { Milliseconds, Organization } from '../terms.ts'
import type { PlainRequest } from './plain-request.ts'

export interface HandedDown {
  readonly plain: PlainRequest
  readonly startedAt: Milliseconds
  /** What a look-up said that began when the request came. @throws as `OrganizationLookup` */
  readonly organization: () => Organization | undefined
  readonly lookupMs: Milliseconds
}

export interface HandDown {
  give(request: IncomingMessage, done: HandedDown): void
  take(request: IncomingMessage): HandedDown | undefined
}

export function createHandDown(): HandDown {
  const done = new WeakMap<IncomingMessage, HandedDown>()
  return {
    give: (request, handedDown) => void done.set(request, handedDown),
    take: request => done.get(request),
  }
}

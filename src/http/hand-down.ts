/** What is known of a request by the time that the shortcut leaves it to the ordinary way. */
import type { IncomingMessage } from 'node:http'
import type { Milliseconds, Organization } from '../terms.ts'
import type { ActiveRequest } from './active-requests.ts'
import type { PlainRequest } from './plain-request.ts'

export interface HandedDown {
  readonly active: ActiveRequest
  /** Undefined where the shortcut looked up no key. */
  readonly lookedUp: LookedUp | undefined
}

export interface LookedUp {
  readonly plain: PlainRequest
  /** The result of a look-up that began when the request came. @throws as `OrganizationLookup` */
  readonly organization: () => Organization | undefined
  readonly lookupMs: Milliseconds
}

export interface HandDown {
  give(request: IncomingMessage, handedDown: HandedDown): void
  /** @throws Error where none was given. */
  take(request: IncomingMessage): HandedDown
}

export function createHandDown(): HandDown {
  const given = new WeakMap<IncomingMessage, HandedDown>()
  return {
    give: (request, handedDown) => void given.set(request, handedDown),
    take(request) {
      const handedDown = given.get(request)
      if (handedDown === undefined) throw new Error('the request was never handed down')
      return handedDown
    },
  }
}

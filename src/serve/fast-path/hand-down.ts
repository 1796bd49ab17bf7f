/** What is known of a request by the time that the shortcut leaves it to the ordinary way. */
import type { IncomingMessage } from 'node:http'
import type { Milliseconds, Organization } from '../../model/terms.ts'
import type { ActiveRequest } from '../http/active-requests.ts'
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

const GIVEN = Symbol('handed down')

export function createHandDown(): HandDown {
  return {
    // why: on the request itself, because garbage collection takes long over a WeakMap of them
    give: (request, handedDown) => void Object.assign(request, { [GIVEN]: handedDown }),
    take(request) {
      const { [GIVEN]: handedDown } = request as { [GIVEN]?: HandedDown }
      if (handedDown === undefined) throw new Error('the request was never handed down')
      return handedDown
    },
  }
}

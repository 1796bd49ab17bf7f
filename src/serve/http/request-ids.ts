/** The ids of requests: what a client sent, else one of ours. Knows no request. */
import { randomBytes } from 'node:crypto'

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export interface RequestIds {
  /** One that no process has given before. */
  next(): string
  /** The client's own if it fits `[A-Za-z0-9._-]{1,64}`, else the next of ours. @param header '' is none */
  of(header: string): string
}

/**
 * A prefix and a counter: a random UUID each time costs several times as much. Processes and restarts
 * are told apart by the prefix alone: with 64 random bits, two of 100,000 starts have the same one with
 * a probability of 3 in 10,000,000,000.
 * @param prefix fits the ids' alphabet; at most 47 characters leave room for any counter
 */
export function createRequestIds(prefix: string = randomBytes(8).toString('hex')): RequestIds {
  let given = 0
  const next = (): string => {
    given += 1
    return `${prefix}-${given}`
  }
  return {
    next,
    of: header => (header !== '' && CLIENT_REQUEST_ID.test(header) ? header : next()),
  }
}

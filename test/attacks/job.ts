// Job and report of a request generator, which is a separate process.
import type { Asked } from '../harness/client.ts'

interface Target {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
}

export interface LoadJob extends Target, Pick<Asked, 'report' | 'organization' | 'headers'> {
  /** Each request is for a period that is not cached. */
  readonly isCold?: true
  /** Number of clients. Each sends the next request after a response, or a second after a refusal. */
  readonly clients?: number
  /** Pause of a client after a response 200; default none. */
  readonly pauseMs?: number
  /** Instead of clients: requests a second, however long responses take. */
  readonly perSecond?: number
  /** The client disconnects this time after the request. */
  readonly abortAfterMs?: number
}

/** Pipelined requests for `/ping`. */
export interface PingsJob extends Target {
  /** Default: each request has a random one. */
  readonly key?: string
  /** Empty headers of each request, besides the key. It is not pipelined then. */
  readonly headers?: number
  readonly perSecond: number
  readonly clients: number
}

export interface FuzzJob extends Target {
  readonly seed: number
  readonly raw: number
  readonly wellFormed: number
  /** Clients for well-formed requests; four times as many for raw ones. */
  readonly clients: number
}

export interface Report {
  readonly sent: number
  /** `200`, `429 rate_limited`, `aborted`, `torn`. */
  readonly outcomes: Readonly<Record<string, number>>
  /** The first body of another organization or incomplete one; for a fuzzer, the first request with 500. */
  readonly wrong: string | undefined
  readonly wrongCount: number
  /** Number of 429 and 503 whose Retry-After is not 1 to 120. */
  readonly withoutRetryAfter: number
}

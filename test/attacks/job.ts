// Job and report of a request generator, which is a separate process.

interface Target {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
}

export interface LoadJob extends Target {
  readonly organization: number
  /** `{cold}` is replaced by a period that is not cached. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Number of clients. Each sends the next request after a response, or a second after a refusal. */
  readonly clients?: number
  /** Pause of a client after a response 200; default none. */
  readonly pauseMs?: number
  /** Pause of a client after another response; default a second. */
  readonly backOffMs?: number
  /** Instead of clients: requests a second, however long responses take. */
  readonly perSecond?: number
  /** The client disconnects this time after the request. */
  readonly abortAfterMs?: number
  /** Ends after this number of requests. */
  readonly atMost?: number
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

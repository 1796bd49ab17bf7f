// What a generator of requests is told, and what it reports. Each is a process of its own.

interface Target {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
}

export interface LoadJob extends Target {
  readonly organization: number
  /** `{cold}` in it becomes a period that was not asked before. */
  readonly path: string
  readonly method?: 'GET' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  /** Clients that each send the next request once they have a response, or a second after they were refused. */
  readonly clients?: number
  /** How long a client waits that has a response 200; it sends at once unless said. */
  readonly pauseMs?: number
  /** Instead of clients: so many requests a second, however long responses take. */
  readonly perSecond?: number
  /** The client disconnects so long after it has sent. */
  readonly abortAfterMs?: number
  /** Ends by itself after so many. */
  readonly atMost?: number
}

/** Requests with unknown keys. */
export interface StrangersJob extends Target {
  readonly perSecond: number
  readonly clients: number
}

export interface FuzzJob extends Target {
  readonly seed: number
  readonly raw: number
  readonly wellFormed: number
  /** For well-formed requests; four times as many for raw ones. */
  readonly clients: number
}

export interface Report {
  readonly sent: number
  /** `200`, `429 rate_limited`, `aborted`, `torn`. */
  readonly outcomes: Readonly<Record<string, number>>
  /** The first body that is another organization's, or not whole; of a fuzzer, the first request that got 500. */
  readonly wrong: string | undefined
  readonly wrongCount: number
  /** 429 and 503 whose Retry-After is not 1 to 120. */
  readonly withoutRetryAfter: number
}

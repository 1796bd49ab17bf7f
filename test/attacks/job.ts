// What the load generator is told, and what it reports. The generator is a process of its own.

export interface Job {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly organization: number
  /** `{cold}` in it becomes a period that was not asked before. */
  readonly path: string
  readonly method?: 'GET' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  /** Clients that each send the next request once they have a response. */
  readonly clients?: number
  /** How long a client that was refused waits, whatever `Retry-After` says. */
  readonly backOffMs?: number
  /** How long a client waits that has a response 200; it sends at once unless said. */
  readonly pauseMs?: number
  /** Instead of clients: so many requests a second, however long responses take. */
  readonly perSecond?: number
  /** The client disconnects so long after it has sent. */
  readonly abortAfterMs?: number
  /** Ends by itself after so many. */
  readonly atMost?: number
}

export interface StrangersJob {
  readonly url: string
  readonly perSecond: number
  readonly connections: number
}

export interface FuzzJob {
  readonly url: string
  readonly seed: number
  readonly raw: number
  readonly wellFormed: number
  /** For well-formed requests; four times as many for raw ones. */
  readonly connections: number
}

export interface Report {
  readonly sent: number
  /** `200`, `429 rate_limited`, `aborted`, `torn`. */
  readonly outcomes: Readonly<Record<string, number>>
  /** The first body that is another organization's, or not whole. */
  readonly wrong: string | undefined
  readonly wrongCount: number
  /** 429 and 503 whose Retry-After is not 1 to 120. */
  readonly withoutRetryAfter: number
  readonly bytes: number
}

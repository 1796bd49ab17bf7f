/** Limits that are no settings, since one value suits every installation. Tests give a gateway other ones in its `Config`. */

export const LIMITS = {
  /** Of a new connection to a database, with its set-up. */
  connectTimeoutMs: 2000,
  /** Of a key look-up. */
  keyTimeoutMs: 2000,
  /** A client that reads nothing for this time, or less than 64 KB of a large response, is disconnected. */
  stallTimeoutMs: 30_000,
  /** Of a response, until its last byte. */
  longestDownloadMs: 600_000,
  /**
   * Of a request, until its first byte. Its load goes on, for the next request.
   * why: longer than the timeout of any definition (45 s), since what reaches its own limit must not be promised. A look-up
   * of the key may take 3 s more, and some clients disconnect after 60 s (dlt)
   */
  longestWaitMs: 46_500,
  /** Requests in flight end in this time after `DRAIN_DELAY`. */
  drainTimeoutMs: 25_000,
} as const

/**
 * Connections for key look-ups to each database, each with one batch in flight.
 * why: two are both busy, or both idle, more often: 0.84 of the hits a second of 64 connections (2026-11-26, Node 20.20)
 */
export const KEYS_POOL_SIZE = 3

const MAX_UNAUTHORIZED_IN_A_ROW = 20

/** Even if the cache is smaller: a file for each short body would be slow. */
const LEAST_ENTRY_BYTES = 64 * 1024

/** why: a quarter of the cache is for one organization, and a body is cached with its gzip */
export function maxEntryBytes(cacheMaxBytes: number): number {
  return Math.max(LEAST_ENTRY_BYTES, Math.floor(cacheMaxBytes / 8) - 1024)
}

/** Limits that follow from settings. */
export function derivedLimits(settings: {
  readonly cacheMaxBytes: number
  readonly cacheMaxEntryBytes: number
  readonly trustProxy?: readonly string[] | undefined
}) {
  return {
    /** Of a body in memory. why: only the default can be larger than the cache allows; an explicit value was rejected */
    maxCachedBytes: Math.min(settings.cacheMaxEntryBytes, maxEntryBytes(settings.cacheMaxBytes)),
    /**
     * A connection is closed after this many responses 401 in a row; 0 is no limit.
     * why: a connection of a proxy carries many clients
     */
    maxUnauthorizedInARow: settings.trustProxy === undefined ? MAX_UNAUTHORIZED_IN_A_ROW : 0,
  }
}

export type Limits = { readonly [Name in keyof typeof LIMITS]: number } & Readonly<
  ReturnType<typeof derivedLimits>
>

/**
 * Every setting of the gateway, in one table: the key is the property of `Config`, with its unit; the
 * name is the environment variable. Reads nothing itself.
 */
import type { Setting } from './setting.ts'

const HOUR_MS = 3_600_000
const TEBIBYTE = 2 ** 40

/** The longest that a request may wait in one place: every answer's status line is out within 50 s. */
const LONGEST_WAIT_MS = 30_000

export const SETTINGS = {
  databaseUrls: {
    name: 'DATABASE_URL',
    kind: 'urls',
    secret: true,
    required: true,
    help: 'The hot standbys that reports run on, separated by commas',
  },
  keysDatabaseUrls: {
    name: 'KEYS_DATABASE_URL',
    kind: 'urls',
    secret: true,
    defaultsTo: 'the first of `DATABASE_URL`',
    help: 'Where API keys are looked up: the primary, so that a revocation needs no replay, or replicas; several, separated by commas, are asked in that order',
  },
  keysMaxLagMs: {
    name: 'KEYS_MAX_LAG',
    kind: 'duration',
    default: '1m',
    minimum: 2000,
    maximum: HOUR_MS,
    help: 'How far a replica may be behind, at most, for a key look-up on it to count; one further behind, or of unknown lag, is not asked. A primary never is',
  },
  probeDatabaseUrls: {
    name: 'PROBE_DATABASE_URL',
    kind: 'urls',
    secret: true,
    defaultsTo: '`DATABASE_URL`',
    help: 'The same standbys in the same order for the lag probe, as a role with `pg_read_all_stats`',
  },
  sqlDir: {
    name: 'SQL_DIR',
    kind: 'path',
    defaultsTo: "the project's `sql`",
    help: 'The folder of definitions',
  },
  host: {
    name: 'HOST',
    kind: 'host',
    default: '127.0.0.1',
    help: 'Address that the API listens on; `0.0.0.0` for all',
  },
  port: {
    name: 'PORT',
    kind: 'port',
    default: '8080',
    help: 'Port of the API; 0 takes any free one',
  },
  opsHost: {
    name: 'OPS_HOST',
    kind: 'host',
    default: '127.0.0.1',
    help: 'Address of the operations port',
  },
  opsPort: {
    name: 'OPS_PORT',
    kind: 'port',
    default: '9464',
    help: 'Port of `/metrics`, `/livez` and `/readyz`; 0 takes any free one',
  },
  cacheMaxBytes: {
    name: 'CACHE_MAX_BYTES',
    kind: 'bytes',
    default: '256MiB',
    minimum: 4096,
    maximum: TEBIBYTE,
    help: 'All finished bodies together',
  },
  cacheMaxEntryBytes: {
    name: 'CACHE_MAX_ENTRY_BYTES',
    kind: 'bytes',
    default: '8MiB',
    minimum: 1024,
    maximum: TEBIBYTE,
    help: 'The largest body that is kept, a quarter of `CACHE_MAX_BYTES` at most; larger ones are streamed',
  },
  spoolMaxBytes: {
    name: 'SPOOL_MAX_BYTES',
    kind: 'bytes',
    default: '1GiB',
    minimum: 0,
    maximum: TEBIBYTE,
    help: "What is too large to keep and not read yet: slow readers' streams, and answers that HTTP/1.0 needs whole, in nameless files in the folder that `TMPDIR` names; all together, half of it for one organization; above it a stream is broken off, and a whole answer is 503 `overloaded`. 0: no files, a run waits for its reader",
  },
  reportPoolSize: {
    name: 'REPORT_POOL_SIZE',
    kind: 'integer',
    default: '8',
    minimum: 1,
    maximum: 500,
    help: 'Connections for reports: about twice the cores of the replica; where it gives the role fewer, those that this process has serve in turn, so that several gateways should have room for all of theirs',
  },
  keysPoolSize: {
    name: 'KEYS_POOL_SIZE',
    kind: 'integer',
    default: '2',
    minimum: 1,
    maximum: 2,
    help: 'Connections for key look-ups, each with one batch in flight: 1 or 2',
  },
  prepared: {
    name: 'PREPARED',
    kind: 'enum',
    values: ['auto', 'off'],
    default: 'auto',
    help: '`auto`: statements are prepared where connections keep them, which those of a pooler do not; `off`: nowhere',
  },
  connectTimeoutMs: {
    name: 'CONNECT_TIMEOUT',
    kind: 'duration',
    default: '2s',
    minimum: 10,
    maximum: LONGEST_WAIT_MS,
    help: 'Longest wait for a connection to be made',
  },
  queueTimeoutMs: {
    name: 'QUEUE_TIMEOUT',
    kind: 'duration',
    default: '20s',
    minimum: 10,
    maximum: LONGEST_WAIT_MS,
    help: 'Longest wait for an execution. If the expected wait is longer, the response is sent at once: 429 `rate_limited` if the own backlog of the organization is the reason, else 503 `overloaded`',
  },
  organizationBudget: {
    name: 'ORGANIZATION_BUDGET',
    kind: 'budget',
    defaultsTo: 'no limit',
    help: 'Database time that each organization may use in a window, such as `30s/1m`; then 429 `rate_limited`. Cached responses are free',
  },
  keyTimeoutMs: {
    name: 'KEY_TIMEOUT',
    kind: 'duration',
    default: '2s',
    minimum: 10,
    maximum: LONGEST_WAIT_MS,
    help: 'Longest key look-up; then 503 `access_unavailable`',
  },
  stallTimeoutMs: {
    name: 'STALL_TIMEOUT',
    kind: 'duration',
    default: '30s',
    minimum: 10,
    maximum: HOUR_MS,
    help: 'A client that reads nothing of its answer for so long, or not 64 KB of a streamed one, is cut off',
  },
  drainDelayMs: {
    name: 'DRAIN_DELAY',
    kind: 'duration',
    default: '5s',
    minimum: 0,
    maximum: HOUR_MS,
    help: 'After SIGTERM: how long requests are still taken while `/readyz` says 503',
  },
  drainTimeoutMs: {
    name: 'DRAIN_TIMEOUT',
    kind: 'duration',
    default: '25s',
    minimum: 0,
    maximum: HOUR_MS,
    help: 'Then: how long requests in flight may take to finish',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    kind: 'enum',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    help: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
  },
  logRequests: {
    name: 'LOG_REQUESTS',
    kind: 'enum',
    values: ['summary', 'all'],
    default: 'summary',
    help: '`summary`: a line for every miss, error and slow request (errors: one in 30 s for each problem and organization), the rest counted once a minute; `all`: a line each',
  },
  slowRequestMs: {
    name: 'SLOW_REQUEST',
    kind: 'duration',
    default: '1s',
    minimum: 0,
    maximum: HOUR_MS,
    help: 'From here on a request counts as slow in the log',
  },
  allowPrimary: {
    name: 'ALLOW_PRIMARY',
    kind: 'boolean',
    default: 'false',
    help: 'Serve from a writable server too; else such a server makes the gateway not ready',
  },
} as const satisfies Record<string, Setting>

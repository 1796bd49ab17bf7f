/**
 * The table of all settings. The key is the property of `Config`, with its unit; `name` is the environment variable.
 */
import type { Setting } from './setting.ts'

const HOUR_MS = 3_600_000
const TEBIBYTE = 2 ** 40

/** Maximum of a time-out that delays a response, since each status line must be sent within 50 s. */
const MAX_WAIT_MS = 30_000

export const SETTINGS = {
  databaseUrls: {
    name: 'DATABASE_URL',
    ofCommands: true,
    kind: 'urls',
    secret: true,
    required: true,
    help: 'The hot standbys that execute reports, separated by commas',
  },
  keysDatabaseUrls: {
    name: 'KEYS_DATABASE_URL',
    ofCommands: true,
    kind: 'urls',
    secret: true,
    defaultsTo: 'the first of `DATABASE_URL`',
    help: 'Databases for API key look-ups, tried in this order, separated by commas: the primary, so that a revocation needs no replay, or replicas',
  },
  keysMaxLagMs: {
    name: 'KEYS_MAX_LAG',
    kind: 'duration',
    default: '1m',
    minimum: 2000,
    maximum: HOUR_MS,
    help: 'Maximum lag of a replica for key look-ups; replicas with a greater or unknown lag are not used. A primary has no lag',
  },
  probeDatabaseUrls: {
    name: 'PROBE_DATABASE_URL',
    ofCommands: true,
    kind: 'urls',
    secret: true,
    defaultsTo: '`DATABASE_URL`',
    help: 'The same standbys in the same order, for the lag probe; the role needs `pg_read_all_stats`',
  },
  sqlDir: {
    name: 'SQL_DIR',
    ofCommands: true,
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
    help: 'Address of the operations port. On a loopback address, requests whose `Host` is not `localhost` or a loopback address are 421',
  },
  opsPort: {
    name: 'OPS_PORT',
    kind: 'port',
    default: '9464',
    help: 'Port of `/metrics`, `/livez`, `/readyz` and `/organizations`; 0 takes any free one',
  },
  cacheMaxBytes: {
    name: 'CACHE_MAX_BYTES',
    kind: 'bytes',
    default: '256MiB',
    minimum: 4096,
    maximum: TEBIBYTE,
    help: 'Maximum size of all cached bodies together',
  },
  cacheMaxEntryBytes: {
    name: 'CACHE_MAX_ENTRY_BYTES',
    kind: 'bytes',
    default: '8MiB',
    minimum: 1024,
    maximum: TEBIBYTE,
    help: 'Maximum size of a cached body, at most a quarter of `CACHE_MAX_BYTES`; larger ones are streamed',
  },
  spoolMaxBytes: {
    name: 'SPOOL_MAX_BYTES',
    kind: 'bytes',
    default: '1GiB',
    minimum: 0,
    maximum: TEBIBYTE,
    help: 'Maximum size of all spill files together, half of it for one organization. They are unlinked files in `TMPDIR` for responses too large to cache: streams of slow clients, and whole responses for HTTP/1.0. Above it streams are aborted, and whole responses are 503 `overloaded`. 0: no files, executions wait for slow clients',
  },
  reportPoolSize: {
    name: 'REPORT_POOL_SIZE',
    kind: 'integer',
    default: '8',
    minimum: 1,
    maximum: 500,
    help: 'Connections for reports to each replica: about twice the number of its cores. If the connection limit of the role is lower, requests queue for the connections that exist; the limit should cover the pools of all gateways',
  },
  gatewayCount: {
    name: 'GATEWAYS',
    kind: 'integer',
    default: '1',
    minimum: 1,
    maximum: 1000,
    help: 'Gateways that use the same servers: connection limits that are too low for the pools of all of them are logged. Pools and limits of a gateway are its own, so divide them by this number',
  },
  queueTimeoutMs: {
    name: 'QUEUE_TIMEOUT',
    kind: 'duration',
    default: '20s',
    minimum: 10,
    maximum: MAX_WAIT_MS,
    help: 'Longest wait for an execution; then 503 `overloaded`',
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    kind: 'integer',
    default: '4000',
    minimum: 1,
    maximum: 1_000_000,
    help: 'Connections to the API. At the limit a new one replaces the oldest of those that have had no valid key for a second, else the longest idle one of the organization that has the most idle ones; if all have requests in flight, the new one is closed. Each takes a file descriptor, which `ulimit -n` must allow. At most 20 pipelined requests, 32 KiB in all, may wait on a connection; with more it is closed',
  },
  maxRequestsPerOrganization: {
    name: 'MAX_REQUESTS_PER_ORGANIZATION',
    kind: 'integer',
    default: '256',
    minimum: 1,
    maximum: 1_000_000,
    help: 'Maximum of concurrent requests of one organization, cache hits included; above it 429 `rate_limited`',
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    kind: 'networks',
    defaultsTo: 'no proxy',
    help: 'Addresses or networks of reverse proxies, separated by commas, such as `127.0.0.1,10.0.0.0/8`: their `X-Forwarded-For` gives the client address of log lines, and no connection is closed after 20 responses 401 in a row',
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    kind: 'origins',
    defaultsTo: 'none',
    help: 'Origins whose scripts may call the API from a browser, separated by commas, such as `https://bi.example.com`',
  },
  fastPath: {
    name: 'FAST_PATH',
    kind: 'enum',
    values: ['on', 'off'],
    default: 'on',
    help: '`on`: plain cache hits and requests with unknown keys bypass Koa; `off`: every request goes through Koa, with the same responses',
  },
  explorer: {
    name: 'EXPLORER',
    kind: 'enum',
    values: ['on', 'off'],
    default: 'off',
    help: '`on`: a page for people at `/` on the port of the API: a catalogue of reports, tables, charts and downloads for whoever types in a key',
  },
  drainDelayMs: {
    name: 'DRAIN_DELAY',
    kind: 'duration',
    default: '5s',
    minimum: 0,
    maximum: HOUR_MS,
    help: 'After SIGTERM: how long requests are still accepted while `/readyz` returns 503; then those in flight have 25 s to finish',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    kind: 'enum',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    help: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. `info`: a line for every miss, error and slow request (errors: one in 30 s for each problem and organization), and a count of the others once a minute; `debug`: a line for each request and each execution',
  },
  allowPrimary: {
    name: 'ALLOW_PRIMARY',
    ofCommands: true,
    kind: 'boolean',
    default: 'false',
    help: 'Use writable servers, too; otherwise they are not used, and the gateway is not ready if there is no other',
  },
} as const satisfies Record<string, Setting>

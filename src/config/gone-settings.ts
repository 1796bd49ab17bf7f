/** Settings that were withdrawn, with what to do instead. Startup rejects them: a limit that does not hold is not taken for one. */
import type { Environment } from './config.ts'

export const GONE_SETTINGS: Readonly<Record<string, string>> = {
  CONNECT_TIMEOUT: 'unset it; a connection is made within 2 s, or fails',
  DRAIN_TIMEOUT: 'unset it; requests in flight have 25 s to finish after DRAIN_DELAY',
  EXPLORER_PATH: 'unset it; with EXPLORER=on the page is at /',
  KEEP_ALIVE_WITHOUT_KEY: 'unset it; at MAX_CONNECTIONS those without a valid key are closed first',
  KEYS_POOL_SIZE: 'unset it; each database of keys has three connections',
  KEY_TIMEOUT: 'unset it; a key look-up takes 2 s at most',
  LOG_REQUESTS: 'set LOG_LEVEL=debug to log each request',
  MAX_UNAUTHORIZED_IN_A_ROW:
    'set TRUST_PROXY behind a proxy: then no connection is closed because of 401 responses',
  ORGANIZATION_BUDGET:
    'unset it; organizations share the replicas by execution time, and MAX_REQUESTS_PER_ORGANIZATION limits each',
  PREPARED: 'unset it; poolers are detected, and nothing is prepared behind them',
  SLOW_REQUEST: 'set LOG_LEVEL=debug to log each request with its duration',
  STALL_TIMEOUT: 'unset it; a client that reads nothing for 30 s is disconnected',
  TRACING: 'unset it; log lines have the traceparent of requests',
  WATCH_SQL_DIR: 'send SIGHUP when files of SQL_DIR have changed',
}

/** A problem, without the value, for each withdrawn setting that is not blank. */
export function findGone(environment: Environment): string[] {
  return Object.entries(GONE_SETTINGS).flatMap(([name, instead]) =>
    environment[name]?.trim() ? [`${name} is no longer a setting: ${instead}`] : [],
  )
}

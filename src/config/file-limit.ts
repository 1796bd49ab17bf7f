/** Finds a limit of open files that is lower than what the settings may open. */
import { readFileSync } from 'node:fs'
import { KEYS_POOL_SIZE } from './limits.ts'

/** Files that are always open, connections to the operations port and the files of large responses. */
const OTHER_FILES = 300

/** @returns a warning, or nothing if the limit suffices or is unknown */
export function findLowFileLimit(config: {
  readonly maxConnections: number
  readonly reportPoolSize: number
  readonly replicas: readonly unknown[]
  readonly keyServers: readonly unknown[]
}): string[] {
  const { maxConnections, reportPoolSize, replicas, keyServers } = config
  const others =
    replicas.length * (reportPoolSize + 1) + keyServers.length * KEYS_POOL_SIZE + OTHER_FILES
  const limit = openFilesLimit()
  if (limit >= maxConnections + others) return []
  const possible = Math.max(limit - others, 1)
  return [
    `the process may open ${limit} files, expected ${maxConnections + others}: ${maxConnections} of MAX_CONNECTIONS and ${others} others; raise the limit (ulimit -n, LimitNOFILE=, nofile), or set MAX_CONNECTIONS=${possible}`,
  ]
}

/** The soft limit, which Node.js raises to the hard one at start. Infinity where it is unlimited or unknown. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(soft ?? Infinity)
  } catch {
    // why: only Linux has this file
    return Infinity
  }
}

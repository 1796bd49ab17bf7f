/** Settings that are each right and wrong together. */
import type { Environment } from './config.ts'

/** Takes parsed values, of which some may not be of their kind; those are reported elsewhere. */
export function findConflicts(
  values: Readonly<Record<string, unknown>>,
  environment: Environment,
): string[] {
  return [...largestBody(values, environment), ...samePort(values)]
}

function* largestBody(
  { cacheMaxBytes, cacheMaxEntryBytes }: Readonly<Record<string, unknown>>,
  environment: Environment,
): Iterable<string> {
  if (typeof cacheMaxBytes !== 'number' || typeof cacheMaxEntryBytes !== 'number') return
  const given = environment['CACHE_MAX_ENTRY_BYTES']?.trim() ?? ''
  const quarter = Math.floor(cacheMaxBytes / 4)
  if (given === '' || cacheMaxEntryBytes <= quarter) return
  yield `CACHE_MAX_ENTRY_BYTES is "${given}": expected at most ${quarter} bytes, a quarter of CACHE_MAX_BYTES`
}

function* samePort({
  host,
  port,
  opsHost,
  opsPort,
}: Readonly<Record<string, unknown>>): Iterable<string> {
  const sameHost = host === opsHost || isAnywhere(host) || isAnywhere(opsHost)
  if (typeof port !== 'number' || port === 0 || port !== opsPort || !sameHost) return
  yield `OPS_PORT is "${port}", which PORT is too: expected another port than the API's`
}

/** An address that takes in all others of the machine. */
function isAnywhere(host: unknown): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Finds settings that are valid alone, but in conflict with others. */
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { addressOf, databaseOf, isPostgresUrl } from './addresses.ts'
import type { Environment } from './config.ts'

/** Takes parsed values. Values of the wrong type are ignored: the schema reports them. */
export function findConflicts(
  values: Readonly<Record<string, unknown>>,
  environment: Environment,
): string[] {
  return [
    ...largestBody(values, environment),
    ...samePort(values),
    ...replicasTwice(values),
    ...probesOfOthers(values),
    ...nowhereToSpool(values, environment),
  ]
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
  const sameHost = host === opsHost || isWildcard(host) || isWildcard(opsHost)
  if (typeof port !== 'number' || port === 0 || port !== opsPort || !sameHost) return
  yield `OPS_PORT is "${port}", which PORT is too: expected another port than the API's`
}

function* replicasTwice({ databaseUrls }: Readonly<Record<string, unknown>>): Iterable<string> {
  const names = namesOf(databaseUrls)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice === undefined) return
  yield `DATABASE_URL names ${twice} twice: expected each replica once, with a different host and port`
}

function* probesOfOthers({
  databaseUrls,
  probeDatabaseUrls,
}: Readonly<Record<string, unknown>>): Iterable<string> {
  const [replicas, probes] = [namesOf(databaseUrls), namesOf(probeDatabaseUrls)]
  if (replicas.length === 0 || probes.length === 0) return
  if (probes.length !== replicas.length) {
    yield `PROBE_DATABASE_URL has ${probes.length} and DATABASE_URL ${replicas.length}: expected as many, in the same order`
    return
  }
  // why: URLs that bypass a pooler have other hosts or ports, so that their order cannot be checked
  if (probes.some((name, at) => replicas.includes(name) && name !== replicas[at])) {
    yield `PROBE_DATABASE_URL names ${probes.join(', ')}: expected the order of DATABASE_URL, ${replicas.join(', ')}, since each probe measures the lag of one replica`
    return
  }
  const databases = urlsOf(probeDatabaseUrls).map(url => `${addressOf(url)}/${databaseOf(url)}`)
  const twice = databases.find((name, at) => databases.indexOf(name) < at)
  if (twice === undefined) return
  yield `PROBE_DATABASE_URL names ${twice} twice: expected a probe of each replica, in the order of DATABASE_URL`
}

function* nowhereToSpool(
  { spoolMaxBytes }: Readonly<Record<string, unknown>>,
  environment: Environment,
): Iterable<string> {
  if (typeof spoolMaxBytes !== 'number' || spoolMaxBytes === 0) return
  const given = environment['TMPDIR'] ?? ''
  const folder = given === '' ? tmpdir() : given
  try {
    // why: with a slash at the end the path of a file is an error
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK)
  } catch {
    yield `TMPDIR is "${folder}": expected a writable folder, or SPOOL_MAX_BYTES=0`
  }
}

/** `host:port` of each. */
function namesOf(value: unknown): string[] {
  return urlsOf(value).map(url => addressOf(url))
}

/** Empty if one is not a URL, which the schema reports. */
function urlsOf(value: unknown): string[] {
  const urls = Array.isArray(value) ? value.map(String) : []
  return urls.every(isPostgresUrl) ? urls : []
}

/** Whether the address stands for all addresses of the machine. */
function isWildcard(host: unknown): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Settings that are each right and wrong together. */
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { addressOf, isPostgresUrl } from './addresses.ts'
import type { Environment } from './config.ts'

/** Takes parsed values, of which some may not be of their kind; those are reported elsewhere. */
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
  const sameHost = host === opsHost || isAnywhere(host) || isAnywhere(opsHost)
  if (typeof port !== 'number' || port === 0 || port !== opsPort || !sameHost) return
  yield `OPS_PORT is "${port}", which PORT is too: expected another port than the API's`
}

function* replicasTwice({ databaseUrls }: Readonly<Record<string, unknown>>): Iterable<string> {
  const names = namesOf(databaseUrls)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice === undefined) return
  yield `DATABASE_URL names ${twice} twice: expected each replica once, under a host and port of its own`
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
  // why: a way of its own to a replica, past a pooler, has another host or port, and its order cannot be told
  const isSameSet = replicas.toSorted().join() === probes.toSorted().join()
  if (!isSameSet || replicas.join() === probes.join()) return
  yield `PROBE_DATABASE_URL names ${probes.join(', ')}: expected the order of DATABASE_URL, ${replicas.join(', ')}, since each replica is judged by its own lag`
}

function* nowhereToSpool(
  { spoolMaxBytes }: Readonly<Record<string, unknown>>,
  environment: Environment,
): Iterable<string> {
  if (typeof spoolMaxBytes !== 'number' || spoolMaxBytes === 0) return
  const given = environment['TMPDIR'] ?? ''
  const folder = given === '' ? tmpdir() : given
  try {
    // why: with a stroke at its end a file is none
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK)
  } catch {
    yield `TMPDIR is "${folder}": expected a folder that files can be made in, or SPOOL_MAX_BYTES=0`
  }
}

/** `host:port` of each. None where one of them is no URL, which is reported elsewhere. */
function namesOf(value: unknown): string[] {
  const urls = Array.isArray(value) ? value.map(String) : []
  return urls.every(isPostgresUrl) ? urls.map(url => addressOf(url)) : []
}

/** An address that takes in all others of the machine. */
function isAnywhere(host: unknown): boolean {
  return host === '0.0.0.0' || host === '::'
}

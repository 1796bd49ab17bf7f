/** Finds settings that are in conflict with others, and parameters of URLs that nothing reads. */
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { addressOf, databaseOf, parameterFaults } from './addresses.ts'
import type { Config, Environment } from './config.ts'
import { maxEntryBytes } from './limits.ts'
import { SETTINGS } from './settings.ts'

type Values = Partial<Pick<Config, keyof typeof SETTINGS>>

/** @param values without invalid ones */
export function findConflicts(values: Values, environment: Environment): string[] {
  return [
    ...unknownParameters(values),
    ...largestBody(values, environment),
    ...samePort(values),
    ...replicasTwice(values),
    ...probesOfOthers(values),
    ...nowhereToSpool(values, environment),
  ]
}

function* unknownParameters(values: Values): Iterable<string> {
  for (const property of ['databaseUrls', 'keysDatabaseUrls', 'probeDatabaseUrls'] as const) {
    const faults = new Set((values[property] ?? []).flatMap(parameterFaults))
    for (const fault of faults) yield `${SETTINGS[property].name} has ${fault}`
  }
}

function* largestBody(
  { cacheMaxBytes, cacheMaxEntryBytes }: Values,
  environment: Environment,
): Iterable<string> {
  const given = environment['CACHE_MAX_ENTRY_BYTES']?.trim()
  if (!given || cacheMaxBytes === undefined || cacheMaxEntryBytes === undefined) return
  const most = maxEntryBytes(cacheMaxBytes)
  if (cacheMaxEntryBytes <= most) return
  yield `CACHE_MAX_ENTRY_BYTES is "${given}": expected at most ${most} bytes, about an eighth of CACHE_MAX_BYTES`
}

function* samePort({ host, port, opsHost, opsPort }: Values): Iterable<string> {
  const sameHost = host === opsHost || isWildcard(host) || isWildcard(opsHost)
  if (port === undefined || port === 0 || port !== opsPort || !sameHost) return
  yield `OPS_PORT is "${port}", which PORT is too: expected another port than the API's`
}

function* replicasTwice({ databaseUrls = [] }: Values): Iterable<string> {
  const names = databaseUrls.map(addressOf)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice === undefined) return
  yield `DATABASE_URL names ${twice} twice: expected each replica once, with a different host and port`
}

function* probesOfOthers({ databaseUrls = [], probeDatabaseUrls = [] }: Values): Iterable<string> {
  const [replicas, probes] = [databaseUrls.map(addressOf), probeDatabaseUrls.map(addressOf)]
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
  const databases = probeDatabaseUrls.map(url => `${addressOf(url)}/${databaseOf(url)}`)
  const twice = databases.find((name, at) => databases.indexOf(name) < at)
  if (twice === undefined) return
  yield `PROBE_DATABASE_URL names ${twice} twice: expected a probe of each replica, in the order of DATABASE_URL`
}

/** As `statfs` reports them: tmpfs and ramfs. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const IN_MEMORY: ReadonlySet<number> = new Set([0x0102_1994, 0x8584_58f6])

function* nowhereToSpool(
  { spoolMaxBytes = 0, allowTmpfs = false }: Values,
  environment: Environment,
): Iterable<string> {
  if (spoolMaxBytes === 0) return
  const given = environment['TMPDIR'] ?? ''
  const folder = given === '' ? tmpdir() : given
  try {
    // why: with a slash at the end the path of a file is an error
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK)
    if (allowTmpfs || !IN_MEMORY.has(statfsSync(folder).type)) return
    yield `TMPDIR is "${folder}", which is in memory: expected a folder on a disk, such as TMPDIR=/var/tmp, or ALLOW_TMPFS=true, or SPOOL_MAX_BYTES=0`
  } catch {
    yield `TMPDIR is "${folder}": expected a writable folder, or SPOOL_MAX_BYTES=0`
  }
}

/** Whether the address stands for all addresses of the machine. */
function isWildcard(host: string | undefined): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Database URLs, and the name of a server in messages and metrics: `host:port`, without secrets. */

export interface ReplicaAddress {
  /** `10.0.0.1:5432`; for a socket its folder and port. */
  readonly name: string
  readonly url: string
  /** URL of the same server for the probe. */
  readonly probeUrl: string
}

/** Splits at commas that are followed by a URL; other commas are part of a URL. */
export function splitUrls(text: string): string[] {
  return text.split(/,(?=\s*(?:postgres(?:ql)?:|$))/).map(url => url.trim())
}

/** The host may be the folder of a socket: `postgres:///erp?host=/run/postgresql`. */
export function isPostgresUrl(text: string): boolean {
  const [, authority, rest = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  if (authority === undefined || !URL.canParse(text)) return false
  // why: with an unencoded `/`, `?` or `#` in the password, part of the password becomes the host
  if (rest.includes('@')) return false
  const { hash, hostname, searchParams } = new URL(text)
  return hash === '' && (hostname !== '' || searchParams.has('host'))
}

/** @param url valid URL */
export function addressOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  // why: pg prefers the host in the query
  const host = searchParams.get('host') ?? hostname
  return `${host}:${searchParams.get('port') ?? (port === '' ? '5432' : port)}`
}

export interface KeyAddress {
  readonly name: string
  readonly url: string
  /** The replica of reports at the same host and port. */
  readonly replica: SharedAddress | undefined
}

export interface SharedAddress {
  /** Index of the replica. */
  readonly index: number
  /** Behind a pooler, another database may be on another server. */
  readonly isSameDatabase: boolean
}

/** Compares servers by the spelling of their names; roles may differ. */
export function keyAddresses(
  urls: readonly string[],
  replicas: readonly ReplicaAddress[],
): KeyAddress[] {
  return urls.map(url => ({ name: addressOf(url), url, replica: sharedAddress(url, replicas) }))
}

function sharedAddress(
  url: string,
  replicas: readonly ReplicaAddress[],
): SharedAddress | undefined {
  const same = replicas.flatMap((replica, index) =>
    [replica.url, replica.probeUrl]
      .filter(other => addressOf(other) === addressOf(url))
      .map(other => ({ index, isSameDatabase: databaseOf(other) === databaseOf(url) })),
  )
  return same.find(({ isSameDatabase }) => isSameDatabase) ?? same[0]
}

/** @param url valid URL */
export function databaseOf(url: string): string {
  const { pathname, username, searchParams } = new URL(url)
  // why: pg's default database has the name of the user
  return pathname.length > 1 ? pathname.slice(1) : (searchParams.get('user') ?? username)
}

export function replicaAddresses(
  urls: readonly string[],
  probeUrls: readonly string[],
): ReplicaAddress[] {
  return urls.map((url, at) => ({ name: addressOf(url), url, probeUrl: probeUrls[at] ?? url }))
}

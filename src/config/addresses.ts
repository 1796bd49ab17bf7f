/** Database URLs, and what a server is called where people and metrics speak of it: `host:port`, nothing secret. */

export interface ReplicaAddress {
  /** `10.0.0.1:5432`; of a socket its folder and port. */
  readonly name: string
  readonly url: string
  /** The same server for the probe. */
  readonly probeUrl: string
}

/** Separated by commas; a comma within a URL is none where no URL begins after it. */
export function splitUrls(text: string): string[] {
  return text.split(/,(?=\s*(?:postgres(?:ql)?:|$))/).map(url => url.trim())
}

/** A socket's folder may stand in for the host: `postgres:///erp?host=/run/postgresql`. */
export function isPostgresUrl(text: string): boolean {
  const [, authority, rest = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  if (authority === undefined || !URL.canParse(text)) return false
  // why: a `/`, `?` or `#` in a password that is not encoded makes a part of the password the host
  if (rest.includes('@')) return false
  const { hash, hostname, searchParams } = new URL(text)
  return hash === '' && (hostname !== '' || searchParams.has('host'))
}

/** @param url one that is valid */
export function addressOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  // why: pg takes the host of the query over the one before it
  const host = searchParams.get('host') ?? hostname
  return `${host}:${searchParams.get('port') ?? (port === '' ? '5432' : port)}`
}

export interface KeyAddress {
  readonly name: string
  readonly url: string
  /** The replica that reports run on at the same host and port. */
  readonly replica: SharedAddress | undefined
}

export interface SharedAddress {
  /** Where the replica stands among all. */
  readonly index: number
  /** To a pooler another database may be another server. */
  readonly isSameDatabase: boolean
}

/** Roles may differ: it is the server that counts, by its name as it is spelt. */
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
      .filter(its => addressOf(its) === addressOf(url))
      .map(its => ({ index, isSameDatabase: databaseOf(its) === databaseOf(url) })),
  )
  return same.find(({ isSameDatabase }) => isSameDatabase) ?? same[0]
}

function databaseOf(url: string): string {
  const { pathname, username, searchParams } = new URL(url)
  // why: pg asks for the one that is called as its user
  return pathname.length > 1 ? pathname.slice(1) : (searchParams.get('user') ?? username)
}

export function replicaAddresses(
  urls: readonly string[],
  probeUrls: readonly string[],
): ReplicaAddress[] {
  return urls.map((url, at) => ({ name: addressOf(url), url, probeUrl: probeUrls[at] ?? url }))
}

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
  /** The URL stands in `DATABASE_URL` too. */
  readonly isReplica: boolean
}

export function keyAddresses(
  urls: readonly string[],
  replicaUrls: readonly string[],
): KeyAddress[] {
  return urls.map(url => ({ name: addressOf(url), url, isReplica: replicaUrls.includes(url) }))
}

export function replicaAddresses(
  urls: readonly string[],
  probeUrls: readonly string[],
): ReplicaAddress[] {
  return urls.map((url, at) => ({ name: addressOf(url), url, probeUrl: probeUrls[at] ?? url }))
}

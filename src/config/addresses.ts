/** Database URLs, and the name of a server in messages and metrics: `host:port`, without secrets. */
import { nearest } from '../model/spelling.ts'

export interface ReplicaAddress {
  /** `10.0.0.1:5432`; for a socket its folder and port. */
  readonly name: string
  readonly url: string
  /** URL of the same server for the probe. */
  readonly probeUrl: string
}

/** Splits at commas that are followed by a URL; other commas are part of a URL. */
export function splitUrls(text: string): string[] {
  const urls = text.split(/,(?=\s*(?:postgres(?:ql)?:|$))/)
  return urls.map(url => url.trim().replace(USER_WITHOUT_HOST, '$1localhost'))
}

/** `postgres://user:password@/erp?host=/run/postgresql`: pg uses the host of the query, but `URL` needs another. */
const USER_WITHOUT_HOST = /^(postgres(?:ql)?:\/\/[^/?#]*@)(?=(?::\d+)?\/?[^?@#]*\?(?:.*&)?host=)/

/** What pg and pg-connection-string read of a query. They ignore all others, so that TLS would be off without notice. */
const PARAMETERS: ReadonlySet<string> = new Set(
  'host port user password options application_name sslmode sslrootcert sslcert sslkey sslnegotiation ssl statement_timeout lock_timeout idle_in_transaction_session_timeout'.split(
    ' ',
  ),
)

/** Faults of the query, without values. @param url valid URL */
export function parameterFaults(url: string): string[] {
  const { searchParams } = new URL(url)
  return [...searchParams].flatMap(([name, value]) => {
    if (!PARAMETERS.has(name)) {
      const meant = nearest(name.replaceAll(/[_-]/g, ''), PARAMETERS, 2)
      const hint = meant === undefined ? '' : `is ${meant} meant? `
      // why: it may be the rest of a password with an unescaped `&`
      const shown = searchParams.has('password') ? '' : ` ${name}`
      return [`an unknown parameter${shown}: ${hint}expected ${[...PARAMETERS].join(', ')}`]
    }
    if (value === '') return [`the parameter ${name} without a value: expected one`]
    return searchParams.getAll(name).length > 1 ? [`the parameter ${name} twice: expected one`] : []
  })
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

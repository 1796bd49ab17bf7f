/** The address of the client behind trusted proxies, for log lines. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'

/** Proxies of some vendors append a port, and enclose IPv6 in brackets. */
const DECORATED = /\[([^\]]+)\](?::\d+)?|([\d.]+):\d+(?=[\s,]|$)/g
/** A server that listens on `::` gets addresses such as `::ffff:10.0.0.1`. */
const MAPPED = /^::ffff:(?=[\d.]+$)/i

/**
 * `X-Forwarded-For` is read from its end, as long as the address that appended an entry is trusted: clients can write
 * any entry before those. An entry that is no address ends it.
 *
 * why: `Forwarded` is ignored, since a proxy that appends one of the two headers passes the other one on unchanged
 * @param trusted addresses and networks of proxies, as `TRUST_PROXY`
 * @returns of the address of the connection and `X-Forwarded-For`
 */
export function createClientAddressOf(trusted: readonly string[]) {
  const isProxy = proxyAddr.compile([...trusted])
  return (peer: string | undefined, forwardedFor: string | string[] = '') => {
    if (peer === undefined) return
    if (forwardedFor === '') return peer.replace(MAPPED, '')
    const hops = String(forwardedFor).replaceAll(DECORATED, '$1$2')
    const request = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': hops } }
    const addresses = proxyAddr.all(request as unknown as IncomingMessage, isProxy)
    return addresses.findLast(address => isIP(address) > 0)?.replace(MAPPED, '')
  }
}

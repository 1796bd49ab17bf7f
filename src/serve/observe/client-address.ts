/** The address of the client behind trusted proxies, for log lines. */
import { BlockList, isIP } from 'node:net'

/**
 * `X-Forwarded-For` is read from its end, as long as the address that appended an entry is trusted: clients can write
 * any entry before those. An entry that is no address ends it.
 *
 * why: `Forwarded` is ignored, since a proxy that appends one of the two headers passes the other one on unchanged
 * @param trusted addresses and networks of proxies, as `TRUST_PROXY`
 * @returns of the address of the connection and `X-Forwarded-For`
 */
export function createClientAddressOf(trusted: readonly string[]) {
  const proxies = new BlockList()
  for (const network of trusted) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  const isProxy = (address: string): boolean =>
    proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (peer: string | undefined, forwardedFor: string | string[] | undefined) => {
    let address = peer && plainAddress(peer)
    if (address === undefined || forwardedFor === undefined || trusted.length === 0) return address
    const hops = String(forwardedFor).split(',')
    while (hops.length > 0 && isProxy(address)) {
      const hop = plainAddress(hops.pop()!.trim())
      if (isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

/**
 * A server that listens on `::` gets addresses such as `::ffff:10.0.0.1`. Proxies of some vendors append a port, and
 * enclose IPv6 in brackets.
 */
function plainAddress(written: string): string {
  const [, bracketed, ipv4] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(written) ?? []
  const address = bracketed ?? ipv4 ?? written
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)
  return mapped?.[1] ?? address
}

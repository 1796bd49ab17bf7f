// What a scenario is handed: servers, proxies, gateways, and an end at which every fault is undone.
import type { Watchdog } from '../../src/demo/watchdog.ts'
import type { Closers } from '../bench/closers.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { startProxy } from './proxy.ts'
import type { Proxy } from './proxy.ts'
import type { Node, Servers } from './servers.ts'

/** Ports, of servers or of proxies in front of them. */
export interface Place {
  /** The first standby's unless said; several are several replicas. */
  readonly replicas?: readonly number[]
  /** The primary's unless said. */
  readonly keys?: number
  /** The replicas' unless said. */
  readonly probes?: readonly number[]
  readonly settings?: Readonly<Record<string, string>>
  readonly unready?: boolean
  /** A file descriptor; the log's file unless said. */
  readonly stdout?: number
}

export interface World {
  readonly servers: Servers
  /** Temporary; others may pass through it. */
  readonly folder: string
  readonly watchdog: Watchdog
  /** Less volume: it is part of `make test`. */
  readonly isQuick: boolean
  readonly gateways: readonly Gateway[]
  readonly faulty: Set<string>
  tornAllowed: boolean
  /** Requests are sent past the recorders, so that the gateway counts more than these. */
  hasOtherClients: boolean
  gateway(place?: Place): Promise<Gateway>
  proxy(node: Node): Promise<Proxy>
  /** Faults are undone before invariants are looked at, in reverse order. */
  undo(work: () => Promise<unknown> | void): void
  /** What has to outlive the look at invariants. */
  atEnd(close: () => void): void
}

export function createWorld(options: {
  readonly servers: Servers
  readonly folder: string
  readonly watchdog: Watchdog
  readonly isQuick: boolean
  readonly undoing: Closers
  readonly closing: Closers
}): World {
  const { servers, folder, watchdog, isQuick, undoing, closing } = options
  const gateways: Gateway[] = []
  return {
    servers,
    folder,
    watchdog,
    isQuick,
    gateways,
    faulty: new Set(),
    tornAllowed: false,
    hasOtherClients: false,
    async gateway(place = {}) {
      const { replicas = [servers.one.port], keys = servers.primary.port } = place
      const { probes = replicas, settings = {} } = place
      const urls = (role: 'svodka_reports' | 'svodka_probe', ports: readonly number[]): string =>
        ports.map(port => servers.url(role, port)).join(',')
      const gateway = await startGateway({
        folder,
        watchdog,
        env: {
          DATABASE_URL: urls('svodka_reports', replicas),
          KEYS_DATABASE_URL: servers.url('svodka_keys', keys),
          PROBE_DATABASE_URL: urls('svodka_probe', probes),
          ...settings,
        },
        ...(place.unready && { unready: true }),
        ...(place.stdout !== undefined && { stdout: place.stdout }),
      })
      closing.onEnd(() => gateway.stop())
      gateways.push(gateway)
      return gateway
    },
    async proxy({ port }) {
      const proxy = await startProxy(`http://127.0.0.1:${port}`)
      closing.onEnd(() => proxy.cut())
      undoing.onEnd(() => proxy.carry())
      return proxy
    },
    atEnd: close => closing.onEnd(close),
    undo: work =>
      undoing.onEnd(async () => {
        await work()
      }),
  }
}

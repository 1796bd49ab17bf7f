// The environment of a scenario: servers, proxies, gateways, and an end that undoes every fault.
import { signalTo } from '../../src/demo/processes.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import type { Closers } from './closers.ts'
import { startScenarioGateway } from './scenario-gateway.ts'
import type { Gateway, ScenarioGatewayOptions } from './scenario-gateway.ts'
import { startProxy, type Proxy } from './proxy.ts'
import type { Node, Servers } from './servers.ts'

/** Ports of servers, or of proxies in front of them. */
export interface Ports {
  /** Default: the first standby. Several ports are several replicas. */
  readonly replicas?: readonly number[]
  /** Default: the primary. */
  readonly keys?: number
  /** Default: the replicas. */
  readonly probes?: readonly number[]
}

export interface Stage {
  readonly servers: Servers
  /** Temporary; other users can traverse it. */
  readonly folder: string
  readonly watchdog: Watchdog
  /** Less volume, for `make test`. */
  readonly isQuick: boolean
  readonly gateways: readonly Gateway[]
  /** Faulty reports, whose correct response is 500. */
  readonly faulty: Set<string>
  /** The fault itself may tear responses that were in flight when a connection broke. */
  tornAllowed: boolean
  /** Other clients send requests that are not recorded, so that the gateway counts more. */
  hasOtherClients: boolean
  readonly gateway: (
    settings?: Readonly<Record<string, string>>,
    ports?: Ports,
    options?: Omit<ScenarioGatewayOptions, 'log'>,
  ) => Promise<Gateway>
  /** Proxy in front of that server. */
  readonly proxy: (node: Node) => Promise<Proxy>
  /** A gateway that sends reports, but not probes, through a proxy in front of the first standby. */
  readonly behindProxy: (
    settings?: Readonly<Record<string, string>>,
    options?: Pick<ScenarioGatewayOptions, 'limits'>,
  ) => Promise<{ readonly gateway: Gateway; readonly proxy: Proxy }>
  /** Stops processes until faults are undone. @throws Error if there are none */
  readonly freeze: (pids: readonly number[]) => void
  /** Faults are undone before invariants are checked, in reverse order. */
  readonly undo: (work: () => Promise<unknown> | void) => void
  /** Calls it after the check of invariants. */
  readonly atEnd: (close: () => void) => void
}

export function createStage(
  base: Pick<Stage, 'servers' | 'folder' | 'watchdog' | 'isQuick'>,
  undoing: Closers,
  closing: Closers,
): Stage {
  const { servers, folder, watchdog } = base
  const gateways: Gateway[] = []
  const urls = (role: 'svodka_reports' | 'svodka_probe', ports: readonly number[]): string =>
    ports.map(port => servers.url(role, port)).join(',')
  const stage: Stage = {
    ...base,
    gateways,
    faulty: new Set(),
    tornAllowed: false,
    hasOtherClients: false,
    async gateway(settings = {}, ports = {}, options = {}) {
      const { replicas = [servers.one.port], keys = servers.primary.port } = ports
      const env = {
        DATABASE_URL: urls('svodka_reports', replicas),
        KEYS_DATABASE_URL: servers.url('svodka_keys', keys),
        PROBE_DATABASE_URL: urls('svodka_probe', ports.probes ?? replicas),
        ...settings,
      }
      const gateway = await startScenarioGateway(env, { log: { folder, watchdog }, ...options })
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
    async behindProxy(settings, options) {
      const proxy = await stage.proxy(servers.one)
      const ports = { replicas: [proxy.port], probes: [servers.one.port] }
      return { proxy, gateway: await stage.gateway(settings, ports, options) }
    },
    freeze(pids) {
      if (pids.length === 0) throw new Error('no process to freeze')
      for (const pid of pids) {
        signalTo(pid, 'SIGSTOP')
        stage.undo(() => signalTo(pid, 'SIGCONT'))
      }
    },
    atEnd: close => closing.onEnd(close),
    undo: work => undoing.onEnd(async () => void (await work())),
  }
  return stage
}

// Servers that take TLS alone, and what of a connection can still be read on the way.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { eventually } from '../../src/demo/processes.ts'
import { running } from '../harness/invariants.ts'
import { askMany, cold, count, isOk } from '../harness/load.ts'
import { Missing } from '../harness/scenario.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Node } from '../harness/servers.ts'
import type { World } from '../harness/world.ts'

/** The first word that a client sends: it asks for TLS, or it says something in clear text. */
const SSL_REQUEST = 80_877_103

interface Tap {
  readonly port: number
  readonly connections: number
  /** Connections whose first word was not the question for TLS. */
  readonly inClearText: number
}

/** Passes everything on, and checks how each connection begins. */
async function startTap(world: World, { port: target }: Node): Promise<Tap> {
  let connections = 0
  let inClearText = 0
  const server = createServer(client => {
    connections += 1
    const upstream = connect(target, '127.0.0.1')
    client.once('data', (first: Buffer) => {
      if (first.length < 8 || first.readUInt32BE(4) !== SSL_REQUEST) inClearText += 1
    })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  world.atEnd(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    port,
    get connections() {
      return connections
    },
    get inClearText() {
      return inClearText
    },
  }
}

/** Makes the server refuse the gateway's roles without TLS, until faults are undone. */
async function takeTlsAlone(world: World, node: Node): Promise<void> {
  const directory = (await node.ask('show data_directory')) ?? ''
  const hba = (await node.ask('show hba_file')) ?? ''
  const [key, certificate] = [`${directory}/server.key`, `${directory}/server.crt`]
  const asked = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost`.split(' ')
  try {
    execFileSync('openssl', [...asked, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  } catch {
    throw new Missing('openssl makes the certificate')
  }
  const { uid, gid } = statSync(directory)
  for (const file of [key, certificate]) {
    chmodSync(file, 0o600)
    chownSync(file, uid, gid)
  }
  const before = readFileSync(hba)
  world.undo(async () => {
    writeFileSync(hba, before)
    await node.ask('alter system reset ssl')
    await node.ask('select pg_reload_conf()')
    for (const file of [key, certificate]) rmSync(file)
  })
  const roles = 'svodka_reports,svodka_keys,svodka_probe'
  const lines = [`hostssl all ${roles} all scram-sha-256`, `host all ${roles} all reject`]
  writeFileSync(hba, `${lines.join('\n')}\n${before.toString()}`)
  await node.ask('alter system set ssl = on')
  await node.ask('select pg_reload_conf()')
  await eventually(async () => (await node.ask('show ssl')) === 'on', 5000)
}

const tlsAlone: Scenario = {
  fault: 'A42',
  name: 'tls-only-servers',
  hypothesis:
    'Servers that take TLS alone serve reports, keys and probe, and cancel too; nothing is said in clear text',
  async run(world) {
    const { servers } = world
    const nodes = [servers.one, servers.primary] as const
    for (const node of nodes) await takeTlsAlone(world, node)
    const [replica, primary] = await Promise.all(nodes.map(node => startTap(world, node)))
    if (!replica || !primary) throw new Error('no tap')
    const tls = (role: 'svodka_reports' | 'svodka_keys' | 'svodka_probe', port: number): string =>
      `${servers.url(role, port)}?sslmode=no-verify`
    const gateway = await world.gateway({
      settings: {
        DATABASE_URL: tls('svodka_reports', replica.port),
        PROBE_DATABASE_URL: tls('svodka_probe', replica.port),
        KEYS_DATABASE_URL: tls('svodka_keys', primary.port),
      },
    })
    const responses = await askMany(gateway, 40, 8, () => ({ report: 'ledger', cold: cold() }))
    const leave = new AbortController()
    const asked = Array.from({ length: 4 }, () =>
      gateway.ask({ report: 'busy', cold: cold(), signal: leave.signal }),
    )
    const began = await eventually(async () => (await running(servers.one)) >= 1, 5000, 10)
    leave.abort()
    const from = performance.now()
    const ended = await eventually(async () => (await running(servers.one)) === 0, 10_000, 10)
    const ms = ended ? performance.now() - from : Number.POSITIVE_INFINITY
    await Promise.all(asked)
    const late = await gateway.ask({ report: 'slow', cold: cold() })
    await eventually(async () => (await running(servers.one)) === 0, 5000, 10)
    return [
      { name: 'reports with 200', value: count(responses, isOk), exactly: 40 },
      { name: 'an execution that is cancelled began', value: Number(began), exactly: 1 },
      { name: 'until none runs on the replica', value: ms, unit: 'ms', atMost: 2000 },
      { name: 'a report past its deadline', value: late.status, exactly: 504 },
      { name: 'connections', value: replica.connections + primary.connections, atLeast: 4 },
      { name: 'begun in clear text', value: replica.inClearText + primary.inClearText, exactly: 0 },
    ]
  },
}

export const tls: readonly Scenario[] = [tlsAlone]

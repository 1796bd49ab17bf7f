// Servers that require TLS, and the readable bytes of their connections.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { eventually } from '../../src/demo/processes.ts'
import { all, atLeast, atMost, exactly, holds, none } from '../harness/figures.ts'
import { fresh, isOk } from '../harness/load.ts'
import { Missing, type Scenario } from '../harness/scenario.ts'
import type { Node, Role } from '../harness/servers.ts'
import type { Stage } from '../harness/stage.ts'
import { certificate, overTls } from '../harness/tls.ts'

/** Code of the message SSLRequest. A client that uses TLS sends it first. */
const SSL_REQUEST = 80_877_103

/** Makes the server refuse the gateway's roles without TLS, until faults are undone. */
async function takeTlsAlone(stage: Stage, node: Node): Promise<void> {
  const files = certificate((await node.ask('show data_directory')) ?? '')
  if (files === undefined) throw new Missing('openssl makes the certificate')
  const hba = (await node.ask('show hba_file')) ?? ''
  const before = readFileSync(hba, 'utf8')
  stage.undo(async () => {
    writeFileSync(hba, before)
    await node.ask('alter system reset ssl')
    await node.ask('select pg_reload_conf()')
    for (const file of files) rmSync(file)
  })
  const roles = 'svodka_reports,svodka_keys,svodka_probe'
  const rules = `hostssl all ${roles} all scram-sha-256\nhost all ${roles} all reject\n`
  writeFileSync(hba, rules + before)
  await node.ask('alter system set ssl = on')
  await node.ask('select pg_reload_conf()')
  await eventually(async () => (await node.ask('show ssl')) === 'on', 5000)
}

export const tls: readonly Scenario[] = [
  {
    name: 'A42 tls-only-servers',
    hypothesis:
      'Servers that require TLS work for reports, keys and the probe; nothing is sent in clear text',
    async run(stage) {
      const { one, primary, url } = stage.servers
      for (const node of [one, primary]) await takeTlsAlone(stage, node)
      const replica = await stage.proxy(one)
      const keys = await stage.proxy(primary)
      const tls = (role: Role, port: number): string => overTls(url(role, port))
      const gateway = await stage.gateway({
        DATABASE_URL: tls('svodka_reports', replica.port),
        PROBE_DATABASE_URL: tls('svodka_probe', replica.port),
        KEYS_DATABASE_URL: tls('svodka_keys', keys.port),
      })
      const responses = await gateway.askMany(40, 8, fresh('ledger'))
      const leave = new AbortController()
      const asked = Array.from({ length: 4 }, () =>
        gateway.ask({ ...fresh('busy')(), signal: leave.signal }),
      )
      const began = await eventually(async () => (await one.running()) >= 1, 5000, 10)
      leave.abort()
      const idleMs = await one.untilIdle()
      await Promise.all(asked)
      const late = await gateway.ask(fresh('slow')())
      await one.untilIdle()
      const words = [...replica.beginnings, ...keys.beginnings]
      return [
        all('reports with 200', responses, isOk),
        holds('the aborted execution had begun', began),
        atMost('until none runs on the replica', idleMs, 2000, 'ms'),
        exactly('a report past its deadline', late.status, 504),
        atLeast('connections', words.length, 4),
        none('connections begun in clear text', words, word => {
          return word.length < 8 || word.readUInt32BE(4) !== SSL_REQUEST
        }),
      ]
    },
  },
]

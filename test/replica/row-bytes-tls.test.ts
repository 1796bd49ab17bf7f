import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, rmSync, statSync } from 'node:fs'
import { expect } from 'chai'
import type { Cluster } from '../../src/demo/cluster.ts'
import { sharedCluster } from '../support/cluster.ts'
import { run } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { connected, connectionStream, hexRows, slices } from './rows.ts'

const ROWS = `select n, 'aя€🙂' || n, null, repeat('ш', n) from generate_series(1, 2000) as n`

describe('rows as bytes, over TLS', () => {
  let cluster: Cluster
  let files: string[] = []

  before(async function () {
    this.timeout(30_000)
    cluster = await sharedCluster()
    files = certificate(`${cluster.folder}/standby`) ?? []
    if (files.length === 0) {
      process.stderr.write('      openssl is missing: rows over TLS are NOT tested\n')
      this.skip()
    }
    await ssl('on')
  })
  after(async () => {
    if (files.length === 0) return
    await ssl('off')
    for (const file of files) rmSync(file, { force: true })
  })

  async function ssl(value: 'on' | 'off'): Promise<void> {
    await run(cluster.replicaUrl, `alter system set ssl = ${value}`)
    await run(cluster.replicaUrl, 'select pg_reload_conf()')
    await until(async () => {
      const [found] = await run<{ ssl: string }>(cluster.replicaUrl, 'show ssl')
      return found?.ssl === value
    })
    if (value === 'off') await run(cluster.replicaUrl, 'alter system reset ssl')
  }

  it('are the same by the tap as by way of pg', async () => {
    const url = `${cluster.replicaUrl}?sslmode=no-verify`
    const answers = []
    for (const [way, cut] of [['pg'], ['tap'], ['tap', slices(7)]] as const) {
      const client = await connected(url, way, cut)
      expect(connectionStream(client)).to.have.property('encrypted', true)
      answers.push(await hexRows(client, ROWS))
      await client.end()
    }
    expect(answers[0]).to.have.length(2000)
    expect(answers[1]).to.deep.equal(answers[0])
    expect(answers[2]).to.deep.equal(answers[0])
  })
})

/** `server.crt` and `server.key`, where PostgreSQL looks for them; undefined without openssl. */
function certificate(directory: string): string[] | undefined {
  const [key, certificate] = [`${directory}/server.key`, `${directory}/server.crt`]
  const asked = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost`.split(' ')
  try {
    execFileSync('openssl', [...asked, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const { uid, gid } = statSync(directory)
  for (const file of [key, certificate]) {
    chmodSync(file, 0o600)
    chownSync(file, uid, gid)
  }
  return [key, certificate]
}

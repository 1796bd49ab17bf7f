import { expect } from 'chai'
import { openReplicas, type OpenReplicas } from '../../src/replica/open-replicas.ts'
import type { Instant } from '../../src/terms.ts'
import { sharedCluster } from '../support/cluster.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

describe('a replica that may have gone back', function () {
  this.timeout(60_000)
  let way: Proxy
  let wayOfProbe: Proxy
  let replicas: OpenReplicas

  before(async () => {
    const { replicaUrl } = await sharedCluster()
    way = await startProxy(replicaUrl)
    wayOfProbe = await startProxy(replicaUrl)
    replicas = openReplicas({
      replicas: [{ name: 'one', url: way.url, probeUrl: wayOfProbe.url }],
      poolSize: 1,
      connectTimeoutMs: 2000,
      queueTimeoutMs: 2000,
      allowPrimary: false,
      prepared: 'auto',
      observe: () => {},
      now: () => Date.now(),
      random: () => 0,
    })
    await new Promise<void>(resolve => replicas.start(resolve))
  })
  after(async () => {
    await replicas.stop()
    await way.cut()
    await wayOfProbe.cut()
  })

  async function dataAsOf(): Promise<Instant | undefined> {
    let told: Instant | undefined
    const sink = {
      begin: (start: { readonly dataAsOf: Instant | undefined }) => void (told = start.dataAsOf),
      row: () => true,
      rowCount: () => 0,
    }
    await replicas.run({
      name: 'x',
      organizationId: '1',
      identity: 'x',
      alike: '1',
      text: 'select 1',
      preparedName: 'x',
      values: [],
      timeoutMs: 5000,
      open: () => ({ sink, finish: () => {}, isOut: () => false }),
      signal: new AbortController().signal,
    })
    return told
  }

  it('is looked at before what it shows on a new connection is given an age', async () => {
    expect(await dataAsOf()).to.be.a('string')
    await way.cut()
    await way.mend()
    const first = await until(async () => dataAsOf().then(String, () => undefined))
    expect(first).to.not.equal('undefined')
  })

  it('shows data of unknown age on a new connection while nobody can look', async () => {
    wayOfProbe.drop()
    expect(await dataAsOf(), 'on the old connection').to.be.a('string')
    await way.cut()
    await way.mend()
    expect(await dataAsOf()).to.equal(undefined)
    await wayOfProbe.cut()
    await wayOfProbe.mend()
    wayOfProbe.carry()
    await until(async () => (await dataAsOf()) !== undefined)
  })
})

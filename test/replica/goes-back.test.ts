import { expect } from 'chai'
import { openReplicas, type OpenReplicas } from '../../src/replica/open-replicas.ts'
import type { Instant } from '../../src/terms.ts'
import { sharedCluster } from '../support/cluster.ts'
import { startProxy, type Proxy } from '../harness/proxy.ts'
import { until } from '../support/until.ts'
import { keepingSink } from './rows.ts'

describe('a replica that may have gone back', function () {
  this.timeout(60_000)
  let proxy: Proxy
  let proxyOfProbe: Proxy
  let replicas: OpenReplicas

  before(async () => {
    const { replicaUrl } = await sharedCluster()
    proxy = await startProxy(replicaUrl)
    proxyOfProbe = await startProxy(replicaUrl)
    replicas = openReplicas({
      replicas: [{ name: 'one', url: proxy.url, probeUrl: proxyOfProbe.url }],
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
    await proxy.cut()
    await proxyOfProbe.cut()
  })

  async function dataAsOf(): Promise<Instant | undefined> {
    let told: Instant | undefined
    const begin = (start: { dataAsOf: Instant | undefined }) => void (told = start.dataAsOf)
    await replicas.run({
      name: 'x',
      organizationId: '1',
      identity: 'x',
      alike: '1',
      text: 'select 1',
      preparedName: 'x',
      values: [],
      timeoutMs: 5000,
      open: () => ({ sink: { ...keepingSink(), begin }, finish: () => {}, isOut: () => false }),
      signal: new AbortController().signal,
    })
    return told
  }

  async function cutAndMend(): Promise<void> {
    await proxy.cut()
    await proxy.mend()
  }

  it('is looked at before data on a new connection are given an age', async () => {
    expect(await dataAsOf()).to.be.a('string')
    await cutAndMend()
    const first = await until(() => dataAsOf().then(String, () => undefined))
    expect(first).to.not.equal('undefined')
  })

  it('shows data of unknown age on a new connection while no look is answered', async () => {
    proxyOfProbe.drop()
    expect(await dataAsOf(), 'on the old connection').to.be.a('string')
    await cutAndMend()
    expect(await dataAsOf()).to.equal(undefined)
    await proxyOfProbe.cut()
    await proxyOfProbe.mend()
    proxyOfProbe.carry()
    await until(async () => (await dataAsOf()) !== undefined)
  })
})

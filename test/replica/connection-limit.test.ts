import { expect } from 'chai'
import { describeLowLimit } from '../../src/serve/replica/connection-limit.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { startGateway } from '../harness/in-process-gateway.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { change } from './execute.ts'

describe('connection limits that are too low for the pools of all gateways', function () {
  this.timeout(60_000)

  it('are described with what was found, what was expected, and the SQL', () => {
    const sizes = { poolSize: 8, gatewayCount: 3 }
    const limits = { role: 'Re"ports', role_limit: 20, server_limit: 97 }
    expect(describeLowLimit(limits, sizes)).to.equal(
      'the role Re"ports may have 20 connections, expected at least 24, for a pool of 8 in each of 3 gateways (GATEWAYS): alter role "Re""ports" connection limit 24; on the primary, or use smaller pools',
    )
    expect(describeLowLimit({ ...limits, server_limit: 23 }, sizes)).to.equal(
      'the server allows 23 connections (max_connections without the reserved ones), expected at least 24, for a pool of 8 in each of 3 gateways (GATEWAYS): raise max_connections, or use smaller pools',
    )
    expect(describeLowLimit({ ...limits, role_limit: 24 }, sizes)).to.equal(undefined)
    expect(describeLowLimit({ ...limits, role_limit: null }, sizes)).to.equal(undefined)
    expect(
      describeLowLimit({ ...limits, role_limit: 7 }, { poolSize: 8, gatewayCount: 1 }),
    ).to.match(/expected at least 8, for a pool of 8 in 1 gateway:/)
  })

  it('are reported at the start: of a role and of a server', async () => {
    const [shops, cluster] = [await sharedShops(), await sharedCluster()]
    await change(
      cluster,
      `create role few login superuser password '${cluster.passwordOf('few')}' connection limit 20`,
    )
    const url = Object.assign(new URL(shops.replicaUrl), {
      username: 'few',
      password: cluster.passwordOf('few'),
    }).href
    const reportsOf = async (gatewayCount: string): Promise<string[]> => {
      const gateway = await startGateway({
        ...shopsEnvironment(shops),
        DATABASE_URL: url,
        REPORT_POOL_SIZE: '8',
        GATEWAYS: gatewayCount,
      })
      try {
        await gateway.ready()
        await until(() =>
          gateway.observations.some(
            ({ kind }) => kind === 'key-lookup' || kind === 'replica-probed',
          ),
        )
        return gateway.observations.flatMap(fact =>
          fact.kind === 'connection-limit-low' ? [`${fact.pool}: ${fact.found.split(',')[0]}`] : [],
        )
      } finally {
        await gateway.stop()
      }
    }
    try {
      expect(await reportsOf('2')).to.deep.equal([])
      expect(await reportsOf('3')).to.include('reports: the role few may have 20 connections')
      const ofServer = (await reportsOf('100')).filter(line => line.startsWith('reports'))
      expect(ofServer.join()).to.match(/^reports: the server allows 19\d connections/)
    } finally {
      await change(cluster, 'drop role few')
    }
  })
})

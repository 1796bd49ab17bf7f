import { expect } from 'chai'
import { sharedCluster } from '../harness/cluster.ts'
import { startGateway } from '../harness/in-process-gateway.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { change } from './execute.ts'

describe('connection limits that are too low for the pools of all gateways', function () {
  this.timeout(60_000)

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
    const reportsOf = async (poolSize: string, gatewayCount: string): Promise<string[]> => {
      const gateway = await startGateway({
        ...shopsEnvironment(shops),
        DATABASE_URL: url,
        REPORT_POOL_SIZE: poolSize,
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
          fact.kind === 'connection-limit-low' ? [`${fact.pool}: ${fact.found}`] : [],
        )
      } finally {
        await gateway.stop()
      }
    }
    try {
      expect(await reportsOf('18', '2')).to.deep.equal([])
      expect((await reportsOf('24', '3'))[0]).to.match(
        /^reports: the role few may have 20 connections, expected at least 24, .* alter role few connection limit 24;/,
      )
      const ofServer = (await reportsOf('500', '100')).filter(line => line.startsWith('reports'))
      expect(ofServer.join()).to.match(/^reports: the server allows 19\d connections/)
    } finally {
      await change(cluster, 'drop role few')
    }
  })
})

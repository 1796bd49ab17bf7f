// Gateways that are killed, drained, added and upgraded under load, behind the real HAProxy.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../../src/demo/processes.ts'
import { sharedShops } from '../harness/shops.ts'
import { addOrganizations, createNode, hitCount, KEY_COUNT, startLoad } from './processes.ts'
import type { GatewayNode } from './processes.ts'
import { needsHaproxy, startHaproxy, type Front } from './haproxy.ts'

/** Two health checks, one second apart, and the time that they take. */
const NOTICED_MS = 4000

const print = (line: string): void => void process.stdout.write(`    ${line}\n`)

describe('gateways behind HAProxy that change under load', function () {
  this.timeout(240_000)
  let removeOrganizations: (() => Promise<void>) | undefined
  let nodes: GatewayNode[] = []
  let front: Front

  before(async function () {
    needsHaproxy(this)
    const shops = await sharedShops()
    removeOrganizations = await addOrganizations(shops)
    nodes = await Promise.all([1, 2, 3, 4].map(() => createNode()))
    await Promise.all(nodes.slice(0, 3).map(node => node.start()))
    front = await startHaproxy(nodes.slice(0, 3))
  })
  beforeEach(async () => {
    const isWarm = async (): Promise<boolean> => (await hitCount(front)) === KEY_COUNT
    expect(await eventually(isWarm, 30_000), 'all responses are cached').to.equal(true)
  })
  after(async () => {
    await front?.stop()
    await Promise.all(nodes.map(node => node.end('SIGKILL')))
    await removeOrganizations?.()
  })

  /** Expects that no request fails meanwhile. */
  async function underLoad(what: string, work: () => Promise<void>): Promise<void> {
    const end = startLoad(front)
    await sleep(500)
    await work()
    const { count, failed } = await end()
    print(`HAProxy, ${what}: ${failed.length} of ${count} requests failed`)
    expect(failed.slice(0, 3)).to.deep.equal([])
  }

  it('lose at most 1.3/N of the cached responses if one is killed', async () => {
    await nodes[0]!.end('SIGKILL')
    await sleep(NOTICED_MS)
    const lost = KEY_COUNT - (await hitCount(front))
    print(`HAProxy, one of 3 killed: ${lost} of ${KEY_COUNT} cached responses lost`)
    expect(lost).to.be.within(1, (1.3 / 3) * KEY_COUNT)
    await nodes[0]!.start()
    await sleep(NOTICED_MS)
  })

  it('are killed without a failed request', async () => {
    await underLoad('killed', async () => {
      await nodes[1]!.end('SIGKILL')
      await sleep(NOTICED_MS)
      await nodes[1]!.start()
      await sleep(NOTICED_MS)
    })
  })

  it('are drained without a failed request', async () => {
    await underLoad('drained', async () => {
      expect(await nodes[2]!.end('SIGTERM')).to.equal(0)
      await sleep(NOTICED_MS)
    })
    await nodes[2]!.start()
    await sleep(NOTICED_MS)
  })

  it('are added without a failed request, and take at most 1.3/N of the keys', async () => {
    await nodes[3]!.start()
    await front.reload(nodes)
    await sleep(NOTICED_MS)
    const lost = KEY_COUNT - (await hitCount(front))
    print(`HAProxy, a fourth added: ${lost} of ${KEY_COUNT} cached responses lost`)
    expect(lost).to.be.within(1, (1.3 / 4) * KEY_COUNT)
    await underLoad('one removed and added', async () => {
      await front.reload(nodes.slice(0, 3))
      await sleep(1000)
      await front.reload(nodes)
      await sleep(1000)
    })
  })

  it('are upgraded one after the other without a failed request', async () => {
    await underLoad('rolling upgrade', async () => {
      for (const node of nodes) {
        expect(await node.end('SIGTERM')).to.equal(0)
        await node.start()
        await sleep(NOTICED_MS)
      }
    })
  })
})

// Bodies over a network that is late, slow, torn or in crumbs: right, or an honest error.
import { askMany, cold, count, isOk, percent } from './load.ts'
import type { Gateway } from './gateway.ts'
import type { Proxy, Toxics } from './proxy.ts'
import type { Recorded } from './recorder.ts'
import type { Figure, Scenario } from './scenario.ts'
import type { World } from './world.ts'

interface Hurt {
  readonly gateway: Gateway
  readonly proxy: Proxy
  /** Hash of the body of `medium` for one period, as it is where nothing hurts. */
  readonly right: string
}

const PERIOD = 20_000

async function start(world: World): Promise<Hurt> {
  const proxy = await world.proxy(world.servers.one)
  const gateway = await world.gateway({ replicas: [proxy.port], probes: [world.servers.one.port] })
  const { bodyHash } = await fresh(gateway)
  return { gateway, proxy, right: bodyHash }
}

/** A run, and no answer that is kept. */
function fresh(gateway: Gateway): Promise<Recorded> {
  return gateway.ask({ report: 'medium', cold: PERIOD, headers: { 'Cache-Control': 'no-cache' } })
}

function bodies(answers: readonly Recorded[], right: string): Figure[] {
  const whole = answers.filter(isOk)
  return [
    { name: 'answers', value: answers.length },
    {
      name: 'bodies that are not the right one',
      value: count(whole, ({ bodyHash }) => bodyHash !== right),
      exactly: 0,
    },
    {
      name: 'answers that are no 200 and no 503',
      value: count(answers, ({ status }) => status !== 200 && status !== 503),
      exactly: 0,
    },
  ]
}

function toxic(name: string, hypothesis: string, times: number, toxics: Toxics): Scenario {
  return {
    fault: 'F22',
    name,
    hypothesis,
    async run(world) {
      const { gateway, proxy, right } = await start(world)
      proxy.hurt(toxics, 'toClient')
      const answers: Recorded[] = []
      for (let at = 0; at < times; at += 1) answers.push(await fresh(gateway))
      return [
        ...bodies(answers, right),
        { name: 'of these 200', value: percent(answers, isOk), unit: '%', exactly: 100 },
      ]
    },
  }
}

const late = toxic('late', 'A network of 200 ms delays answers and nothing else', 5, {
  latencyMs: 200,
})

const slow = toxic('slow-link', 'A link of 50 KB/s delays answers and nothing else', 2, {
  bytesPerSecond: 50_000,
})

const crumbs = toxic('crumbs', 'Bytes that come one by one make the same bodies', 5, {
  sliceBytes: 1,
})

const resets: Scenario = {
  fault: 'F22',
  name: 'resets',
  hypothesis:
    'Connections that are reset in the middle of rows: no wrong body among 1,000, none torn, and one more run makes most of them good',
  async run(world) {
    const { gateway, proxy, right } = await start(world)
    const answers: Recorded[] = []
    // why: every fourth is torn, somewhere in its 100 KB of rows
    for (let round = 0; round < 250; round += 1) {
      proxy.hurt({ resetAfterBytes: 1 + ((round * 7919) % 100_000) }, 'toClient')
      answers.push(await fresh(gateway))
      proxy.heal()
      const more = await askMany(gateway, 3, 3, () => ({
        report: 'medium',
        cold: PERIOD,
        headers: { 'Cache-Control': 'no-cache' },
      }))
      answers.push(...more)
    }
    return [
      ...bodies(answers, right),
      { name: 'of these 200', value: percent(answers, isOk), unit: '%', atLeast: 99 },
    ]
  },
}

const streamTorn: Scenario = {
  fault: 'F22',
  name: 'stream-torn',
  hypothesis:
    'A large answer whose rows break off is broken off too, so that no client takes it for whole',
  async run(world) {
    world.tornAllowed = true
    const { gateway, proxy } = await start(world)
    const answers: Recorded[] = []
    for (let round = 0; round < 8; round += 1) {
      proxy.hurt({ resetAfterBytes: 5_000_000 + round * 500_000 }, 'toClient')
      answers.push(await gateway.ask({ report: 'large', cold: cold() }))
      proxy.heal()
    }
    const honest = answers.filter(({ torn, status }) => torn !== undefined || status === 503)
    const whole = await gateway.ask({ report: 'large', cold: cold() })
    return [
      { name: 'broken off or refused', value: honest.length, exactly: 8 },
      {
        name: 'taken for whole and not so',
        value: count(answers, ({ wrong }) => wrong !== undefined),
        exactly: 0,
      },
      { name: 'a whole one afterwards', value: whole.status, exactly: 200 },
    ]
  },
}

export const torn: readonly Scenario[] = [resets, streamTorn, late, slow, crumbs]

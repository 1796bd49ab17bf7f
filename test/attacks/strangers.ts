// Clients without a valid key: they may cost those who have one next to nothing.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBytes, peakMemoryBytes } from '../bench/process-figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import { askMany, cold, count, isOk } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { World } from '../harness/world.ts'
import { BYSTANDER, besideAttack, bystanderFigures } from './bystander.ts'
import { othersThan, outcomesOf, startStrangers } from './generate.ts'
import type { Generator } from './generate.ts'
import { atRest, inFlight } from './rest.ts'

const MEBIBYTE = 2 ** 20
const KEY_OF_A = 'X-Api-Key: key of organization 1\r\n'
const PING = { report: 'ping', organization: BYSTANDER }

const randomKeys: Scenario = {
  fault: 'A20',
  name: 'random-keys',
  hypothesis:
    '10,000 random keys a second beside a valid one: its p99 is at most 3x of that when quiet',
  async run(world) {
    const gateway = await world.gateway()
    let generator: Generator | undefined
    let from = 0
    const bystander = await besideAttack(gateway, {
      isQuick: world.isQuick,
      ask: () => PING,
      perSecond: 40,
      attack() {
        from = performance.now()
        const perSecond = world.isQuick ? 1000 : 10_000
        generator = startStrangers(world, { url: gateway.url, perSecond, connections: 100 })
      },
    })
    const spent = generator?.cpuMs() ?? 0
    const seconds = (performance.now() - from) / 1000
    const report = await generator?.stop()
    if (report === undefined) throw new Error('the attack was not begun')
    return [
      ...bystanderFigures(bystander, { p99: 3 }),
      { name: 'responses 401 a second', value: (report.outcomes['401'] ?? 0) / seconds },
      { name: `strangers' requests`, value: report.sent, detail: outcomesOf(report) },
      {
        name: `strangers' other than 401`,
        value: othersThan(report, ['401', 'closed']),
        exactly: 0,
      },
      { name: `the generator's CPU`, value: spent / 1000, unit: 's' },
      ...(await atRest(gateway)),
    ]
  },
}

/** Connections that are opened at once; each is destroyed at the end of the scenario at the latest. */
async function open(world: World, gateway: Gateway, howMany: number): Promise<Socket[]> {
  const { port } = new URL(gateway.url)
  const sockets = Array.from({ length: howMany }, () => connect(Number(port), '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => undefined)
  world.undo(() => sockets.forEach(socket => void socket.destroy()))
  await Promise.all(
    sockets.map(
      socket => new Promise(resolve => socket.once('connect', resolve).once('close', resolve)),
    ),
  )
  return sockets
}

const pipelined: Scenario = {
  fault: 'A21',
  name: 'pipelined',
  hypothesis:
    '1,000 connections with 100 pipelined requests of 8 KiB each, whose responses are not read, take a bounded memory',
  async run(world) {
    world.hasOtherClients = true
    world.tornAllowed = true
    const gateway = await world.gateway()
    await askMany(gateway, 50, 2, () => PING)
    const before = memoryBytes(gateway.pid)
    const sockets = await open(world, gateway, world.isQuick ? 100 : 1000)
    const head = `GET /api/public/v1/ping HTTP/1.1\r\nHost: a\r\nX-Api-Key: a\r\nX-Filler: `
    const one = `${head}${'x'.repeat(8192 - head.length - 4)}\r\n\r\n`
    const hundred = Buffer.from(one.repeat(100))
    for (const socket of sockets) socket.pause().write(hundred)
    const responses = []
    const until = performance.now() + (world.isQuick ? 500 : 20_000)
    while (performance.now() < until) {
      responses.push(await gateway.ask(PING))
      await sleep(50)
    }
    const peak = (peakMemoryBytes(gateway.pid) - before) / MEBIBYTE
    for (const socket of sockets) socket.destroy()
    return [
      { name: 'connections', value: sockets.length },
      { name: 'most memory beyond that at the start', value: peak, unit: 'MiB', atMost: 256 },
      {
        name: 'a valid key meanwhile, failures',
        value: count(responses, a => !isOk(a)),
        exactly: 0,
      },
      { name: 'its slowest response', value: slowest(responses), unit: 'ms', atMost: 5000 },
      ...(await atRest(gateway)),
    ]
  },
}

function slowest(responses: ReadonlyArray<{ readonly ms: number }>): number {
  return Math.max(...responses.map(({ ms }) => ms))
}

const slowHeaders: Scenario = {
  fault: 'A22',
  name: 'slow-headers',
  hypothesis:
    '500 connections that send a byte of a header a second are closed within 15 s, and cost others nothing',
  async run(world) {
    world.hasOtherClients = true
    const gateway = await world.gateway()
    const sockets = await open(world, gateway, 500)
    const from = performance.now()
    const closedAfter: number[] = []
    for (const socket of sockets) {
      socket.resume().once('close', () => closedAfter.push(performance.now() - from))
      socket.write('GET /api/public/v1/ping HTTP/1.1\r\nHost: a\r\nX-Filler: ')
    }
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x')
    }, 1000)
    world.undo(() => clearInterval(timer))
    const responses = []
    while (closedAfter.length < sockets.length && performance.now() - from < 30_000) {
      responses.push(await gateway.ask(PING))
      await sleep(100)
    }
    return [
      { name: 'closed', value: closedAfter.length, exactly: sockets.length },
      { name: 'the last after', value: Math.max(...closedAfter) / 1000, unit: 's', atMost: 15 },
      {
        name: 'a valid key meanwhile, failures',
        value: count(responses, a => !isOk(a)),
        exactly: 0,
      },
      { name: 'its slowest response', value: slowest(responses), unit: 'ms', atMost: 1000 },
      ...(await atRest(gateway)),
    ]
  },
}

const READERS = 40

const slowReaders: Scenario = {
  fault: 'A23',
  name: 'slow-readers',
  hypothesis:
    '40 readers of 1 byte a second of streamed reports are given up after STALL_TIMEOUT, and hold neither a slot nor memory',
  async run(world) {
    world.hasOtherClients = true
    const gateway = await world.gateway({
      settings: { STALL_TIMEOUT: '5s', REPORT_POOL_SIZE: '4' },
    })
    await askMany(gateway, 50, 2, () => PING)
    const before = memoryBytes(gateway.pid)
    const sockets = await open(world, gateway, READERS)
    const from = performance.now()
    for (const [at, socket] of sockets.entries()) {
      const day = `19${10 + at}-01-01`
      const path = `/api/public/v1/reports/large?from=${day}&to=${day}`
      socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${KEY_OF_A}\r\n`)
    }
    const timer = setInterval(() => {
      for (const socket of sockets) socket.read(1)
    }, 1000)
    world.undo(() => clearInterval(timer))
    const responses = []
    let left = READERS
    while (left > 0 && performance.now() - from < 90_000) {
      responses.push(await gateway.ask({ report: 'nap', organization: BYSTANDER, cold: cold() }))
      left = await inFlight(gateway)
      await sleep(100)
    }
    const peak = (peakMemoryBytes(gateway.pid) - before) / MEBIBYTE
    return [
      { name: 'given up after', value: (performance.now() - from) / 1000, unit: 's', atMost: 80 },
      { name: 'left', value: left, exactly: 0 },
      { name: 'most memory beyond that at the start', value: peak, unit: 'MiB', atMost: 128 },
      { name: "B's failures meanwhile", value: count(responses, a => !isOk(a)), exactly: 0 },
      { name: "B's slowest response", value: slowest(responses), unit: 'ms', atMost: 5000 },
      ...(await atRest(gateway)),
    ]
  },
}

export const strangers: readonly Scenario[] = [randomKeys, pipelined, slowHeaders, slowReaders]
